import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkOnce } from '../../../localstack/check-once.ts'
import { temporaryFolder } from '../../support/stack.ts'

let folder: string

beforeEach(() => {
  const { path, remove } = temporaryFolder()
  folder = path
  return remove
})

/** A start of the engine, which checks its configuration. */
async function start(check: (configuration: object) => Promise<void>): Promise<void> {
  const engine = { configSchemaHandler: { validateConfig: check } }
  checkOnce(engine, join(folder, 'stamp'))
  await engine.configSchemaHandler.validateConfig({ service: 'gatehouse' })
}

describe('serverless.yml', () => {
  it('is checked against the schema by the first start, and not by the next', async () => {
    const checked: object[] = []
    const check = async (configuration: object) => void checked.push(configuration)
    await start(check)
    await start(check)
    expect(checked).toEqual([{ service: 'gatehouse' }])
  })

  it('that violates the schema ends every start', async () => {
    const refuse = () => Promise.reject(new Error('Configuration error'))
    await expect(start(refuse)).rejects.toThrow('Configuration error')
    await expect(start(refuse)).rejects.toThrow('Configuration error')
  })
})
