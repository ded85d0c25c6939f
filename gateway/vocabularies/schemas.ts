import { z } from 'zod'

import { vocabularyLimits } from '../../actors/vocabulary/state.ts'
import { idText, vocabularyIdField, wholeNumberField } from '../wire.ts'

/** The wire of vocabularies. */

const { characters, entries: entriesMax, nameCharacters, spoken: spokenMax, weight: weightMax } = vocabularyLimits
const versionMax = 999_999_999

/** What ends a line, or turns the writing around, is no part of a word. */
const notAWord = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u

const form = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(characters, `has more than ${characters} characters, which is the limit`)
  .refine((text) => !notAWord.test(text), 'is one line of text')
  .overwrite((text) => text.replaceAll(/\s+/g, ' '))

const entry = z
  .strictObject({
    text: form.describe('How it is written. It is listened for in both scripts.'),
    weight: z
      .number()
      .min(0)
      .max(weightMax)
      .optional()
      .describe('How strongly it is listened for; 1 unless told. With 0 it is only spelt so where it is heard.'),
    spoken: z
      .array(form)
      .max(spokenMax, `has more than ${spokenMax} forms, which is the limit`)
      .optional()
      .describe(
        'What may be recognised in its place, as it stands in a transcript: each of these is written as `text`.',
      ),
  })
  .meta({ id: 'VocabularyEntry' })

const name = z
  .string()
  .trim()
  .min(1, 'a vocabulary has a name')
  .max(nameCharacters, `has more than ${nameCharacters} characters, which is the limit`)
  .refine((text) => !notAWord.test(text), 'a name is one line of text')

const entries = z.array(entry).max(entriesMax, `has more than ${entriesMax} entries, which is the limit`)
const someEntries = [
  { text: 'Vaak', spoken: ['वाक', 'vak'] },
  { text: 'Kurla Depot', weight: 1.5 },
]

export const newVocabulary = z
  .strictObject({ name, entries: entries.describe('In any order; an entry may be in either script.') })
  .meta({ id: 'NewVocabulary', examples: [{ name: 'Words of the house', entries: someEntries }] })

const removedTexts = z.array(form).max(entriesMax, `has more than ${entriesMax} words, which is the limit`)

export const vocabularyChange = z
  .strictObject({
    version: z
      .int()
      .min(1)
      .max(versionMax)
      .describe('The one that you read. When there is a newer one nothing is done.'),
    name: name.optional(),
    entries: entries.optional().describe('All entries anew.'),
    add: entries
      .optional()
      .describe(
        'More of them. One with the same `text` takes the place of the one before, and keeps its `spoken` forms.',
      ),
    remove: removedTexts.optional().describe('Those with this `text` go; what is not there is no mistake.'),
  })
  .meta({ id: 'VocabularyChange', examples: [{ version: 1, add: [{ text: 'Meera', spoken: ['मेरा'] }] }] })

const standing = {
  vocabulary_id: idText,
  name: z.string(),
  version: z.int().describe('Counted from 1.'),
  updated_at: z.string().meta({ format: 'date-time' }),
  entry_count: z.int(),
  sha256: z.string().describe('Of the entries.'),
}
const anExample = {
  vocabulary_id: '01900000-0000-7000-8000-000000000000',
  name: 'Words of the house',
  version: 1,
  updated_at: '2026-11-17T09:30:00.000Z',
  entry_count: 2,
  sha256: 'c2f1b8d4e5a69788c2f1b8d4e5a69788c2f1b8d4e5a69788c2f1b8d4e5a69788',
}

export const vocabularyShown = z
  .strictObject({ ...standing, entries: z.array(entry) })
  .meta({ id: 'Vocabulary', examples: [{ ...anExample, entries: someEntries }] })

export const vocabularyStanding = z.strictObject(standing).meta({ id: 'VocabularyStanding', examples: [anExample] })

export const vocabularyList = z
  .strictObject({ vocabularies: z.array(vocabularyStanding) })
  .meta({ id: 'Vocabularies', examples: [{ vocabularies: [anExample] }] })

export const deletedVocabulary = z
  .strictObject({ vocabulary_id: idText })
  .meta({ id: 'DeletedVocabulary', examples: [{ vocabulary_id: anExample.vocabulary_id }] })

export const vocabularyPath = z.strictObject({ vocabulary_id: vocabularyIdField })

export const vocabularyQuery = z.strictObject({
  version: wholeNumberField(1, versionMax)
    .optional()
    .describe(`An older one; the last ${vocabularyLimits.versionsKept} are kept. Without it the newest.`),
})
