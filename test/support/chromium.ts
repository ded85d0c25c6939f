import { probeChromium } from './open-chromium.ts'
import { testWhere } from './test-where.ts'
import type { ConditionalTest } from './test-where.ts'

/** For tests that use a browser. It is not started for the question. */
export function testWithBrowser(): Promise<ConditionalTest> {
  return testWhere('what is shown in a browser', probeChromium)
}
