import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { narrowEnvironments } from '../../../infra/environment.ts'
import { temporaryFolder } from '../../support/stack.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

it('a function has its own settings, and those common ones that its code names', () => {
  const place = join(folder.path, 'deliver')
  mkdirSync(place)
  writeFileSync(join(place, 'index.mjs'), 'env.STAGE, env.EMPTY')
  const engine = {
    service: {
      provider: { environment: { STAGE: 'prod', EMPTY: '', OTHER: 'x', NODE_OPTIONS: '--y' } },
      functions: {
        deliverCrm: { handler: join(place, 'index.handler'), environment: { DESTINATION: 'crm' } },
        plain: { handler: join(place, 'index.handler') },
      },
    },
  }
  narrowEnvironments(engine)
  expect(engine.service.functions).toMatchObject({
    deliverCrm: { environment: { STAGE: 'prod', NODE_OPTIONS: '--y', DESTINATION: 'crm' } },
    plain: { environment: { STAGE: 'prod', NODE_OPTIONS: '--y' } },
  })
})
