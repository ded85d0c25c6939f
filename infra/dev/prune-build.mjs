// The compiler leaves behind what it made of files that are gone; a test that was removed would go on running.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

const build = '.build'

for (const entry of readdirSync(build, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(?:js(?:\.map)?|d\.ts)$/.test(entry.name)) continue
  const made = join(entry.parentPath, entry.name)
  const source = relative(build, made).replace(/\.(?:js(?:\.map)?|d\.ts)$/, '.ts')
  if (!existsSync(source)) rmSync(made)
}
