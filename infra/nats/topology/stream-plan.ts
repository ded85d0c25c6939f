import type { StreamConfig } from '@nats-io/jetstream'

/** The settings that matter, written out even where they equal the server's defaults. */
export type StreamPlan = Pick<
  StreamConfig,
  | 'name'
  | 'description'
  | 'subjects'
  | 'retention'
  | 'storage'
  | 'num_replicas'
  | 'max_msgs'
  | 'max_bytes'
  | 'max_age'
  | 'max_msg_size'
  | 'max_msgs_per_subject'
  | 'discard'
  | 'duplicate_window'
  | 'allow_direct'
  | 'allow_rollup_hdrs'
  | 'deny_delete'
  | 'allow_msg_ttl'
  | 'allow_msg_schedules'
> &
  Partial<Pick<StreamConfig, 'republish' | 'deny_purge'>>

export const duplicateWindowMs = 2 * 60_000
