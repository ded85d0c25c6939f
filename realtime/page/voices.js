const languages = new Map([
  ['hi', 'Hindi'],
  ['ta', 'Tamil'],
  ['en', 'English'],
])

/** Every voice of this server by its name, under the language it is for; each speaks all of them. */
export async function offerVoices(select) {
  const response = await fetch('/page/voices')
  if (!response.ok) return
  const { data } = await response.json()
  const groups = new Map()
  for (const { id, name, gender, language } of data) {
    const group = groups.get(language) ?? Object.assign(document.createElement('optgroup'), { label: nameOf(language) })
    groups.set(language, group)
    group.append(new Option(`${name} (${gender})`, id))
  }
  select.replaceChildren(...groups.values())
}

function nameOf(language) {
  return languages.get(language) ?? language
}
