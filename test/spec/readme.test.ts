import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { allCommands } from '../../infra/cli/commands.ts'
import { settingsDocument } from '../../infra/config/settings-document.ts'
import { settings } from '../../infra/config/settings.ts'
import { inCheckout } from '../support/checkout.ts'
import { anchorsOf, codeSpansOf, linksOf, pagesIn, readPage, shellLinesOf } from '../support/documents.ts'
import type { DocumentPage } from '../support/documents.ts'

const readmeBytesMax = 16 * 1024

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const allPages = async (): Promise<DocumentPage[]> => [await readPage('README.md'), ...(await pagesIn('infra/docs'))]
const manifest = async (): Promise<Manifest> => JSON.parse((await readPage('package.json')).text) as Manifest // as: npm reads it too

test('the page of settings is what the code says', async (t) => {
  const { text } = await readPage('infra/docs/settings.md')
  t.is(text, settingsDocument(), 'run: npm run settings')
  const rows = text.split('\n').flatMap((line) => /^\| `(\w+)` \|/.exec(line)?.[1] ?? [])
  t.deepEqual(
    rows.sort(),
    Object.values(settings)
      .map(({ variable }) => variable)
      .sort(),
  )
})

test('every dependency has a reason', async (t) => {
  const { dependencies, devDependencies } = await manifest()
  const { text } = await readPage('infra/docs/dependencies.md')
  const named = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'))
  for (const name of named) t.true(text.includes(`\`${name}\``), name)
})

test('the README is short, says how to start and test, and leads to every page', async (t) => {
  const readme = await readPage('README.md')
  t.true(Buffer.byteLength(readme.text) < readmeBytesMax)
  t.true(shellLinesOf(readme).includes('npm ci && npm start'))
  t.true(shellLinesOf(readme).includes('npm ci && npm test'))
  const links = linksOf(readme)
  for (const { path } of await pagesIn('infra/docs')) t.true(links.includes(path), path)
})

test('every link leads to a file or heading that is there', async (t) => {
  for (const page of [...(await allPages()), ...(await pagesIn('infra/decisions'))])
    for (const link of linksOf(page)) await checkLink(t, page, link)
})

async function checkLink(t: ExecutionContext, page: DocumentPage, link: string): Promise<void> {
  const [target = '', anchor] = link.split('#')
  const path = target === '' ? page.path : normalize(join(dirname(page.path), target))
  t.true(existsSync(inCheckout(path)), `${page.path}: ${link}`)
  if (anchor !== undefined) t.true(anchorsOf(await readPage(path)).includes(anchor), `${page.path}: ${link}`)
}

test('every file that is named is there', async (t) => {
  for (const page of await allPages())
    for (const code of codeSpansOf(page)) {
      const [path = ''] = /^(?:actors|gateway|realtime|infra|test)\/[\w./*-]*$/.exec(code) ?? []
      // of a pattern at least the folder
      if (path !== '') t.true(existsSync(inCheckout(path.replace(/[^/]*\*.*$/, ''))), `${page.path}: ${path}`)
    }
})

test('every setting that is named is one', async (t) => {
  const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable))
  for (const page of await allPages())
    for (const code of codeSpansOf(page)) {
      const [, name] = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=\S*)?$/.exec(code) ?? []
      if (name !== undefined) t.true(variables.has(name), `${page.path}: ${name}`)
    }
})

test('every script and bench that is named can be run', async (t) => {
  const { scripts } = await manifest()
  const { text: benches } = await readPage('test/bench/bench.ts')
  for (const page of await allPages())
    for (const code of [...shellLinesOf(page), ...codeSpansOf(page)]) {
      for (const [, script = ''] of code.matchAll(/\bnpm run (\w+)/g))
        t.true(script in scripts, `${page.path}: npm run ${script}`)
      const [, bench = 'NAME'] = /npm run bench -- (\w+)/.exec(code) ?? []
      if (bench !== 'NAME') t.regex(benches, new RegExp(`^  (?:async )?${bench}[,(:]`, 'm'), `${page.path}: ${bench}`)
    }
})

test('every command that is named is there, with its options', async (t) => {
  const commands = new Map((await allCommands()).map((command) => [command.name, command]))
  for (const page of await allPages())
    for (const code of [...shellLinesOf(page), ...codeSpansOf(page)])
      for (const { name, options } of commandsIn(code)) {
        const command = commands.get(name)
        t.truthy(command, `${page.path}: vaak ${name}`)
        for (const option of options)
          t.true(option === 'help' || option in (command?.options ?? {}), `${page.path}: vaak ${name} --${option}`)
      }
})

function commandsIn(code: string): { name: string; options: string[] }[] {
  const typed = code.replace(/"[^"]*"/g, '').replace(/\s#.*$/, '')
  return [...typed.matchAll(/(?:^|npx )vaak ([a-z][a-z-]*)([^|>]*)/g)].map(([, name = '', rest = '']) => ({
    name,
    options: [...rest.matchAll(/ --([a-z-]+)/g)].map(([, option = '']) => option),
  }))
}

test('every decision has its number, its date, its status and the same parts', async (t) => {
  for (const { path, text } of await pagesIn('infra/decisions')) {
    const number = Number(basename(path).slice(0, 4))
    t.true(text.startsWith(`# ${number}. `), path)
    t.regex(text, /^# .*\n\nDate: \d{4}-\d\d-\d\d · Status: (?:accepted|superseded by \d+)\n\n## Context\n/, path)
    const parts = Array.from(text.matchAll(/^## (Context|Decision|Consequences)$/gm), ([, part]) => part)
    t.deepEqual(parts, ['Context', 'Decision', 'Consequences'], path)
  }
})

test('every message that is explained to who is in trouble is one that we say', async (t) => {
  const page = await readPage('infra/docs/troubleshooting.md')
  const told = codeSpansOf(page).filter((code) => / \w+ /.test(code) && !/^(?:npx|npm|vaak|echo) /.test(code))
  t.true(told.length > 15)
  const said = await sources()
  for (const message of told)
    for (const part of message.replaceAll(/\b\d[\d.]*\b/g, '…').split('…')) t.true(said.includes(part.trim()), message)
})

/** All code, with a … for what is filled in. */
async function sources(): Promise<string> {
  const folders = ['actors', 'gateway', 'realtime', 'infra'].map((folder) => inCheckout(folder))
  const entries = await Promise.all(folders.map((path) => readdir(path, { recursive: true, withFileTypes: true })))
  const files = entries.flat().filter(({ name }) => name.endsWith('.ts'))
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
  return texts.join('\n').replaceAll(/\$\{[^}]*\}/g, '…')
}
