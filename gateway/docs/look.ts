import { exampleLanguages } from './examples.ts'

/** Which operations the list shows: those with all words that are searched for. Enter goes to the first. */
export const docsScript = `
const field = document.getElementById('find')
const links = [...document.querySelectorAll('nav a')]
const wordsOf = (link) => (link.textContent + ' ' + link.hash).toLowerCase()
field.addEventListener('input', () => {
  const wanted = field.value.toLowerCase().split(' ').filter(Boolean)
  for (const link of links) link.parentElement.hidden = !wanted.every((word) => wordsOf(link).includes(word))
  for (const group of document.querySelectorAll('nav section')) group.hidden = !group.querySelector('li:not([hidden])')
  document.getElementById('nothing').hidden = links.some((link) => !link.parentElement.hidden)
})
field.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') links.find((link) => !link.parentElement.hidden)?.click()
})
`

const shownExamples = exampleLanguages
  .map(({ id }) => `main:has(#in-${id}:checked) .form > pre.in-${id} { display: block; }`)
  .join('\n')

/** Of as many ways as an operation may be asked for, the one that is chosen; those that have one way only have nothing to choose. */
function shownForms(most: number): string {
  return Array.from(
    { length: most },
    (_, at) => `.operation:has(.pick-${at}:checked) > .form.at-${at} { display: block; }`,
  ).join('\n')
}

export function docsStyle(formsMost: number): string {
  return `
:root { color-scheme: light dark; --ink: #1d2433; --quiet: #5a6172; --paper: #fbfaf7; --line: #ddd8cc; --soft: #f1eee6; --link: #0f6b5c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6df; --quiet: #a9afbb; --paper: #16181d; --line: #333842; --soft: #20242c; --link: #6fcfba; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); font: 16px/1.6 system-ui, 'Noto Sans Devanagari', sans-serif; color: var(--ink); background: var(--paper); }
aside { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem; border-right: 1px solid var(--line); background: var(--soft); }
main { padding: 1.5rem 2rem; max-width: 62rem; }
.brand { margin: 0 0 .75rem; font-weight: 700; } .brand a { color: inherit; text-decoration: none; } .brand small { font-weight: 400; color: var(--quiet); }
#find { width: 100%; min-height: 2.5rem; padding: 0 .75rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
nav h2 { margin: 1.25rem 0 .25rem; padding: 0; border: 0; font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: var(--quiet); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: grid; grid-template-columns: 3.6rem minmax(0, 1fr); column-gap: .5rem; align-items: baseline; padding: .25rem 0; color: inherit; text-decoration: none; font-size: .9rem; }
nav li a:hover span { text-decoration: underline; }
nav li code { grid-column: 2; color: var(--quiet); overflow-wrap: anywhere; font-size: .75rem; }
nav .method { min-width: 0; font-size: .65rem; }
h2 { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.25rem; overflow-wrap: anywhere; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, monospace; font-size: .875em; }
header pre { white-space: pre-wrap; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; overflow-x: auto; }
.form > pre, .choices ~ .form { display: none; }
${shownExamples}
${shownForms(formsMost)}
.languages, .choices { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; width: fit-content; max-width: 100%; margin: 1rem 0; border: 1px solid var(--line); border-radius: .5rem; padding: .4rem 1rem; }
details summary { cursor: pointer; color: var(--link); } details pre { max-height: 24rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
td:first-child code { white-space: nowrap; }
em { color: var(--quiet); font-size: .85em; }
.method { display: inline-block; min-width: 4.5rem; text-align: center; border-radius: .35rem; padding: .05rem .4rem; font-size: .8rem; color: #fff; background: #4b5563; }
.method.get { background: #1d4ed8; } .method.post { background: #15803d; } .method.put, .method.patch { background: #a16207; } .method.delete { background: #b91c1c; }
@media (max-width: 56rem) {
  body { display: block; }
  aside { position: static; height: auto; max-height: 50vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem; }
}
`
}
