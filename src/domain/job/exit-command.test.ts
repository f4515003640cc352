import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import * as fc from 'fast-check'
import { ExitCommand, readExitCommand } from './exit-command.ts'
import { exitCommandJsonSchema, LlmChat, llmChatJsonSchema } from './history.ts'

const good: ExitCommand = { action: 'COMPLETED', evidence_files: ['src/main.py'], summary_for_supervisor: 'Done {and} "tested".' }
const json = JSON.stringify(good)
const other = JSON.stringify({ ...good, action: 'STUCK' })

test('[J3] an exit command is found bare, fenced, wrapped and with prose around it, and the last valid one counts', () => {
  const answers = [
    json,
    `\n\n${JSON.stringify(good, null, 2)}\n`,
    `\`\`\`json\n${json}\n\`\`\``,
    `\`\`\`\n${json}\n\`\`\`\nThat is all.`,
    `{"response": ${json}}`,
    `I changed a {few} things, "see below}:\n${json}\nRegards { }`,
    `${json.replace('src/main.py', 'src/old.py')}\nOnce more, with the right file:\n${json}`,
    `${json}\n{"action": "DONE"}`,
    `function a() { return { b: 1 } }\n${json}`,
    `{"actions": ["COMPLETED"], "evidence_files": ["src/main.py"], "summary_for_supervisor": ${JSON.stringify(good.summary_for_supervisor)}}`,
    `${'{ noise } '.repeat(100_000)}${json}`,
    `${'x'.repeat(3_000_000)}\n${json}`,
  ]

  const found = answers.map((answer) => readExitCommand(answer))

  assert.deepEqual(
    found,
    answers.map(() => ({ command: good })),
  )
})

test('[J68] exit commands that disagree about the action are refused; the same one twice is not', () => {
  const far = ' '.repeat(30_000)

  const refused = [`${other}\n${json}`, `${json}\n${other}`, `${other}${far}${json}`].map(readExitCommand)
  const taken = [`${json}\n${json}`, `${json}${far}${json}`].map(readExitCommand)

  for (const reading of refused) assert.match('error' in reading ? reading.error : '', /contradict each other/)
  for (const reading of taken) assert.equal('command' in reading && reading.command.action, 'COMPLETED')
})

test('[J4] an answer without a valid exit command is refused with the exact fault', () => {
  const refused: [string, RegExp][] = [
    ['', /no JSON object/],
    ['done', /no JSON object/],
    ['[1, 2]', /no JSON object/],
    ['{"action": "COMPLETED"', /is broken: /],
    [json.replace('Done', 'Done\n'), /is broken: Bad control character in string literal in JSON at position \d+/],
    [`Here it is:\n${json.slice(0, -1)},}\nThanks.`, /is broken: Expected double-quoted property name in JSON/],
    ['{}', /action: is missing; evidence_files: is missing; summary_for_supervisor: is missing/],
    [other.replace('STUCK', 'DONE'), /action: .*COMPLETED.*STUCK.*RETRY.*, not "DONE"/],
    [json.replace('"COMPLETED"', '"completed"'), /action: .*not "completed"/],
    [json.replace('["src/main.py"]', '"src/main.py"'), /evidence_files: .*not "src\/main.py"/],
    [json.replace('["src/main.py"]', '[1]'), /evidence_files.0: .*not 1/],
    [json.replace('["src/main.py"]', '[""]'), /evidence_files.0/],
    [json.replace('"Done', '"Done'.padEnd(1100, '.')), /summary_for_supervisor: .*1000/],
    [json.replace(/"summary_for_supervisor":"[^]*/, '"summary_for_supervisor":null}'), /summary_for_supervisor: .*not null/],
    ['{"response": {"response": {}}}', /action: is missing/],
    ['{"actions": ["COMPLETED", "STUCK"], "evidence_files": [], "summary_for_supervisor": "x"}', /action: is missing/],
    ['{"__proto__": {"action": "COMPLETED"}, "evidence_files": [], "summary_for_supervisor": "x"}', /action: is missing/],
  ]

  for (const [answer, fault] of refused) {
    const reading = readExitCommand(answer)
    assert.match('error' in reading ? reading.error : '', fault, answer.slice(0, 200))
  }
})

test('[J4] a corpus of answers of every wrong shape is refused, each with its own fault', () => {
  const path = new URL('../../../tests/fixtures/exit-commands.json', import.meta.url)
  const corpus = JSON.parse(readFileSync(path, 'utf8')) as { text: string; fault: string }[] // a file of ours
  const deep = ['{'.repeat(50_000), '{"a":'.repeat(5_000), `${'['.repeat(50_000)}{}`, '{"action": "'.repeat(2_000), '}'.repeat(50_000)]

  const wrong = corpus.filter(({ text, fault }) => {
    const reading = readExitCommand(text)
    return !('error' in reading) || !reading.error.includes(fault)
  })

  assert.deepEqual(wrong, [])
  assert.ok(corpus.length >= 100)
  assert.ok(deep.every((text) => 'error' in readExitCommand(text)))
})

test('[J4] no text makes the reader fail, and whatever stands around a command does not change it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (noise) => {
      assert.ok('command' in readExitCommand(`${noise}\n${json}`))
      assert.ok('error' in readExitCommand(noise) || noise.includes('action'))
    }),
    { numRuns: 300 },
  )
  fc.assert(
    fc.property(fc.json(), (value) => {
      assert.ok('error' in readExitCommand(value))
    }),
    { numRuns: 300 },
  )
})

test('[J5] the published schemas are the ones the program generates', () => {
  const published = ['exit-command.schema.json', 'llm-chat-schema.json'].map(
    (file): unknown => JSON.parse(readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), 'utf8')), // files of ours
  )

  assert.deepEqual(published, [exitCommandJsonSchema(), llmChatJsonSchema()], 'run `troupe job schema NAME > schemas/NAME`')
})

test('[J5] schema and published schema accept and refuse the same exchanges', () => {
  const validators = new AjvJsonSchemaValidator()
  const [exit, chat] = [validators.getValidator(exitCommandJsonSchema()), validators.getValidator(llmChatJsonSchema())]
  const request = { prompt: 'p', files_context: ['a'], metadata: { role: 'Worker', phase: 'one', model: 'm', temperature: 0.7 } }
  const commands = [good, {}, null, [], 'x', { ...good, action: 'X' }, { ...good, evidence_files: null }, { ...good, more: 1 }]
  const exchanges = [{}, { request }, { response: good }, { request, response: good }, { request: {} }, { response: {} }, { answer: good }]

  const commandVerdicts = commands.map((value) => [ExitCommand.safeParse(value).success, exit(value).valid])
  const chatVerdicts = exchanges.map((value) => [LlmChat.safeParse(value).success, chat(value).valid])

  assert.deepEqual(
    commandVerdicts,
    [true, false, false, false, false, false, false, true].map((valid) => [valid, valid]),
  )
  assert.deepEqual(
    chatVerdicts,
    [false, true, true, true, false, false, false].map((valid) => [valid, valid]),
  )
})
