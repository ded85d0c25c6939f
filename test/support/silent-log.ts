import type { Log } from '../../actors/ports.ts'

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
