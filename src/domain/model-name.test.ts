import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullModelName } from './model-name.ts'

test('[R41] a bare model name finds the provider that has it; what names one already stays as it is', () => {
  const names = [
    'grok-code-fast-1',
    'gemini-2.5-flash',
    'gpt-5',
    'o3-mini',
    'claude-sonnet-5',
    'deepseek-chat',
    'codestral-latest',
    'qwen3-coder-plus',
  ]
  const others = ['openrouter/x/y', 'default', 'rehearsal', 'scripted:a.json', 'agent/claude']

  const found = names.map((name) => fullModelName(name))

  assert.deepEqual(
    found.map((name) => name?.split('/')[0]),
    ['xai', 'google', 'openai', 'openai', 'anthropic', 'deepseek', 'mistral', 'qwen'],
  )
  assert.deepEqual(
    found.map((name) => name?.split('/')[1]),
    names,
  )
  assert.deepEqual(
    others.map((name) => fullModelName(name)),
    others,
  )
  assert.deepEqual(
    ['nonsense', 'qwen3:8b', 'gpt-oss-20b', ''].map((name) => fullModelName(name)),
    [null, null, null, null],
  )
})

test('[R41] the user’s own table counts first, the exact name before a pattern and the longer pattern before the shorter', () => {
  const own = { 'grok-code-fast-1': 'openrouter/x-ai/grok-code-fast-1', 'qwen3*': 'ollama', 'qwen3:30b*': 'vllm', 'house-model': 'work' }

  const found = ['grok-code-fast-1', 'qwen3:8b', 'qwen3:30b-a3b', 'house-model', 'toString'].map((name) => fullModelName(name, own))

  assert.deepEqual(found, ['openrouter/x-ai/grok-code-fast-1', 'ollama/qwen3:8b', 'vllm/qwen3:30b-a3b', 'work/house-model', null])
})
