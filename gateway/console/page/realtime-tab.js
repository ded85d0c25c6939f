/** Realtime is a server of its own, and a tab here only while it answers. */
export async function linkRealtime() {}
