import { readFile } from 'node:fs/promises'

const tasks = ['summary', 'summary-of-parts', 'chapters', 'translation', 'question', 'question-of-parts'] as const

/** What a chat model is told to do, by the task: nothing that anybody else wrote is in it. */
export type Prompts = Readonly<Record<(typeof tasks)[number], string>>

/** From `.build`, where this runs. */
const folder = new URL('../../../infra/llm/prompts/', import.meta.url)

/** Each begins with what all have in common: that the transcript is data. */
export async function readPrompts(): Promise<Prompts> {
  const data = await read('data')
  const texts = await Promise.all(tasks.map(async (task) => [task, `${data}\n${await read(task)}`] as const))
  // as: each task has its text
  return Object.fromEntries(texts) as Prompts
}

function read(name: string): Promise<string> {
  return readFile(new URL(`${name}.txt`, folder), 'utf8')
}
