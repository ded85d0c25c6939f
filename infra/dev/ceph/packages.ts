import { ensureInstalled } from '../debian-packages.ts'

/** `setpriv` is part of every Debian; the rest comes with the packages. */
const programs = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool', 'setpriv']

export function ensureCeph(): Promise<void> {
  return ensureInstalled({ name: 'Ceph', packages: ['radosgw', 'ceph-mon', 'ceph-osd'], programs })
}
