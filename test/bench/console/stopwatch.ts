import type { Page } from 'playwright-core'

import type { ConsoleStep } from './steps.ts'

/** What never comes is a mistake of the step or of the page. */
const withinMs = 60_000

/** Until it is so, and painted. */
const waiting = `
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
  const until = async (isSo, what) => {
    const lastMs = performance.now() + ${withinMs}
    while (!isSo()) {
      if (performance.now() > lastMs) throw new Error('never so: ' + what)
      await painted()
    }
    await painted()
  }`

/** How long a step takes as the page itself sees it, in milliseconds. */
export async function timed(page: Page, { name, before = [], act, until }: ConsoleStep): Promise<number> {
  for (const { act: prepare = '', until: isReady } of before) await page.evaluate(script(prepare, isReady))
  try {
    return await page.evaluate<number>(script(act, until))
  } catch (error) {
    throw new Error(`${name}: ${String(error)}; the page says: ${await troubleOn(page)}`, { cause: error })
  }
}

/** From the address to what is shown, with everything that it loads. */
export async function timedOpening(page: Page, until: string): Promise<number> {
  await page.reload({ waitUntil: 'commit' })
  return page.evaluate<number>(`(async () => { ${waiting}
    await until(() => ${until}, 'it opens')
    return performance.now() })()`)
}

function script(act: string, until: string): string {
  return `(async () => { ${waiting}
    const beganMs = performance.now();
    ${act};
    await until(() => ${until}, ${JSON.stringify(until)})
    return performance.now() - beganMs })()`
}

async function troubleOn(page: Page): Promise<string> {
  return (await page.locator('.notice').allInnerTexts()).join('; ') || 'nothing'
}
