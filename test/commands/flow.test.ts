import { expect, inject, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { respect } from '../support/redocly.ts'

const FLOW = 'docs/login.arazzo.yaml'

it('the flow of the description works: a name and a password become a token, and the token opens the resources of an admin', async () => {
  const { username, password } = demoUser('admin')
  const report = await respect(FLOW, { server: inject('http'), inputs: { username, password } })
  expect(report).toMatch(/Steps: 4 passed, 4 total/)
})

it('a user stops in the middle of it, at the step that requires an admin', async () => {
  const { username, password } = demoUser('user')
  const run = respect(FLOW, { server: inject('http'), inputs: { username, password } })
  await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/Steps: 2 passed, 1 failed/) })
})
