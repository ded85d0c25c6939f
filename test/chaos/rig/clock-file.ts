/** Names the file that says how wrong the clock of a process is. */
export const clockFileVariable = 'CHAOS_CLOCK_FILE'
