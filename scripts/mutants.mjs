import { mutantsOfTheCore } from './mutants-of-the-core.mjs'
import { mutantsOfTheWays } from './mutants-of-the-ways.mjs'

/** What `npm run mutate` breaks. Where a mutant names no tests, those beside its file must notice. */
export const mutants = [...mutantsOfTheCore, ...mutantsOfTheWays].map((mutant) => ({
  tests: [mutant.file.replace(/\.ts$/, '.test.ts')],
  ...mutant,
}))
