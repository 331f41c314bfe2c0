import { describe, expect, it } from 'vitest'
import { readAdminOrder } from '../../../../localstack/commands/admin.ts'

const PASSWORD = { GATEHOUSE_PASSWORD: 'a-password-of-ada' }

describe('npx gatehouse admin', () => {
  it('creates an admin of a stage', () => {
    expect(readAdminOrder(['ada', '--stage', 'prod'], PASSWORD)).toEqual({
      stage: 'prod',
      user: { username: 'ada', password: PASSWORD.GATEHOUSE_PASSWORD, role: 'ROLE_ADMIN' },
      json: false,
    })
  })

  it.each([
    [[], PASSWORD, 'Name one user'],
    [['ada', '--stage', 'local'], PASSWORD, '--stage must name a deployed stage'],
    [['ada', '--stage', 'prod'], {}, 'GATEHOUSE_PASSWORD has to hold the password'],
    [
      ['ada', '--stage', 'prod'],
      { GATEHOUSE_PASSWORD: 'short' },
      'password must have at least 8 characters, and at most 1024 bytes',
    ],
  ])('refuses %j', (args, environment, message) => {
    expect(() => readAdminOrder(args, environment)).toThrow(message)
  })
})
