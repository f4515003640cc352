import { AskedQuestion } from '../domain/question.ts'
import { defineTool } from './gate.ts'

/** Puts a question to the user and ends the run until it is answered. */
export const askUserTool = defineTool({
  name: 'ask_user',
  description: 'Ask the user to choose an option.',
  required_permissions: ['read_files'],
  input: AskedQuestion,
  run: async (question) => ({ output: 'waiting for the user to answer', details: { question }, ends: 'waiting' }),
})
