export type WatchedName = 'gateway' | 'worker' | 'realtime'
