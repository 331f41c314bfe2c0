import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/stack.ts'
import published from '../vectors/webhook-signatures.json' with { type: 'json' }

const folder = temporaryFolder()
afterAll(folder.remove)

interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

function run(command: string, ...args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(execPath, [`localstack/${command}.ts`, ...args], { encoding: 'utf8' }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err })
    })
  })
}

function saved(name: string, content: unknown): string {
  const file = join(folder.path, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

describe('npm run vectors', () => {
  const FILE = 'test/vectors/webhook-signatures.json'

  it('passes every published vector', async () => {
    expect(await run('vectors', FILE)).toEqual({ code: 0, out: '225 passed, 0 failed\n', err: '' })
  })

  it('names the vectors that are judged otherwise, and fails', async () => {
    const [first, second] = published.vectors
    const file = saved('wrong.json', {
      vectors: [
        { ...first, expected: 'invalid' },
        { ...second, secret: 'another secret' },
      ],
    })
    expect(await run('vectors', FILE, file)).toEqual({
      code: 1,
      out: `${first?.id}: accepted, expected invalid\n${second?.id}: refused (wrong-signature), expected valid\n225 passed, 2 failed\n`,
      err: '',
    })
  })

  it.each([
    ['no file', [], 'npm run vectors -- FILE…'],
    ['an option', ['--help'], 'npm run vectors -- FILE…'],
    ['a file that is not there', ['missing.json'], 'missing.json: cannot be read\n'],
    ['a file of another kind', ['README.md'], 'README.md: is no JSON\n'],
    ['a file of another shape', ['package.json'], 'package.json: vectors: '],
  ])('says what is wrong with %s', async (_, args, message) => {
    const { code, out, err } = await run('vectors', ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).not.toContain('    at ')
  })
})
