import type { ToolServer } from '../../actors/conversation/ports.ts'

/** Whether the client has to allow a call of this tool. */
export function needsApproval({ approval }: Pick<ToolServer, 'approval'>, tool: string): boolean {
  if (approval === undefined || approval === 'always') return approval !== undefined
  const { always, never } = approval
  if (always?.includes(tool)) return true
  return !never?.includes(tool) && (always === undefined || never !== undefined)
}
