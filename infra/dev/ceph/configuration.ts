interface ClusterPlan {
  readonly folder: string
  readonly clusterId: string
  readonly monitorPort: number
  readonly gatewayPort: number
}

const memoryBytes = 1024 * 1024 * 1024

/** One monitor, one store in memory, one gateway, all on loopback and without keys: for tests, never for data. */
export function cephConfiguration(plan: ClusterPlan): string {
  const { folder } = plan
  return `[global]
fsid = ${plan.clusterId}
mon_host = v2:127.0.0.1:${plan.monitorPort}
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_ipv6 = false

auth_cluster_required = none
auth_service_required = none
auth_client_required = none
# Without keys there is nothing to encrypt with, and the gateway's default is to insist.
ms_mon_client_mode = crc

run_dir = ${folder}
admin_socket =
pid_file =
log_file = ${folder}/$name.log
mon_data = ${folder}/mon
osd_data = ${folder}/osd
osd_objectstore = memstore
memstore_device_bytes = ${memoryBytes}

osd_crush_chooseleaf_type = 0
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
# A full disk of the host is no reason for a cluster in memory to stop.
mon_data_avail_warn = 1
mon_data_avail_crit = 0
# Each of the gateway's dozen pools waits for a round of the monitor: a second each by default.
paxos_propose_interval = 0.02
paxos_min_wait = 0.01

[mon.a]
mon_addr = v2:127.0.0.1:${plan.monitorPort}

[client.gateway]
rgw_data = ${folder}
rgw_frontends = beast endpoint=127.0.0.1:${plan.gatewayPort}
rgw_thread_pool_size = 64
rgw_enable_lc_threads = false
rgw_enable_usage_log = false
rgw_enable_ops_log = false
rgw_run_sync_thread = false
`
}
