import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { checkFiles } from '../process/pinned-package.ts'

/**
 * What is loaded of uWebSockets: binaries that its author ships through GitHub only, in a package that somebody else publishes. So they are held against
 * hashes of our own, whatever registry or mirror they came from. By operating system, processor and the number of Node's binary interface.
 */
const known: ReadonlyMap<string, string> = new Map([
  ['uws.js', '9d5cd758ff1ecd8e632f291a10c8a161a8d8010a73b69f6b6a0ec39ef04510d2'],
  ['ESM_wrapper.mjs', 'c2b37d7bc159b6aa498c0bc15bedb665393e3b939d3aa99ae094ede22047f0e8'],
  ['uws_linux_x64_115.node', 'f4fa5d7b697529b45ac8aa3d57385d9af51bc1d2b26aa9f5b68ca4361542e665'],
  ['uws_linux_x64_127.node', '78e38a9a163b1cf33ce539619e5908111dea95a12e7943d95fbcdd524879caa8'],
  ['uws_linux_x64_137.node', '3b549c14e01d9d1faf234cdf4b6f0fb08158605e3692cd0eb1b905e327bd3449'],
  ['uws_linux_x64_141.node', 'd22bae7642b872152cd0eeb682c6c2ffd186e91af8cf18cdf98be984a6549d49'],
  ['uws_linux_arm64_115.node', '034e0fcccdc08f90df3b130f421516311831b1352fe38eab91abc2984c2fdf3a'],
  ['uws_linux_arm64_127.node', 'a7d9bc3ec166421a49416d5ea4f49118ae68ea1dbf8a765c4f45a79b0b6adb13'],
  ['uws_linux_arm64_137.node', 'b6eb007d627e00bcce03ad38f197124e9027c03f6fe784b37f97b8a6ea709cb4'],
  ['uws_linux_arm64_141.node', '1317f2e69ea1924ee8dd94ed02a3e6beb08e55d8b06f18caeda3d67a02857aee'],
  ['uws_darwin_x64_115.node', '7552dc27e278be4a5f9ca4f571676e9046929ef8753b1bb63b84f78e1a752a11'],
  ['uws_darwin_x64_127.node', '1bcd63a9cd5cda811d899b80f9b1f7c9f29d128feafebe6976069ab1045a0335'],
  ['uws_darwin_x64_137.node', '7df6e0b2be43048200370a64ee91d6563879f5d3b0207f846dc81377ffc4e189'],
  ['uws_darwin_x64_141.node', 'f490b002468feebeeedba127e20594ec75138bb7c17e9f681a652fe5d408db7d'],
  ['uws_darwin_arm64_115.node', 'f6132ac4d0954ce32ed716d5b367270904c5885bc6e01dcc8ae5809a8967d504'],
  ['uws_darwin_arm64_127.node', '84ab0c487fbbb895afbfa24c7ac02db5922b2eb468b3a4663aaca52af29b420c'],
  ['uws_darwin_arm64_137.node', 'dd7623e7e600dcc1384c4a639ac05849f0c27125be8c431b702e0513e86613f0'],
  ['uws_darwin_arm64_141.node', 'a1c354c77958054d144a1cb1ab2b5f445e4c1454c98762eb52eef7a6cd95c0c5'],
])

const programs = ['uws.js', 'ESM_wrapper.mjs']

/** All that is loaded of it on machines of a kind, whichever Node they have. */
export function socketFiles(platform: string, arch: string): readonly string[] {
  return [...programs, ...[...known.keys()].filter((file) => file.startsWith(`uws_${platform}_${arch}_`))]
}

/** Before it is loaded. */
export async function checkSocketPackage(
  folder = dirname(fileURLToPath(import.meta.resolve('uWebSockets.js'))),
): Promise<void> {
  const binary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  if (!known.has(binary))
    throw new Error(`Voice sessions need a Node of version 20, 22, 24 or 25 on Linux or macOS; there is no ${binary}.`)
  await checkFiles(folder, known, [...programs, binary])
}
