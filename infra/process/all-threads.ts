import { stat } from 'node:fs/promises'

/** Loaded before a child's own module: from here on Node has every thread that it will ever have, and the child may be held to that many. */
await stat('/')
