import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { startDynamoDb } from '../../localstack/stack/emulators/dynamodb.ts'
import { HOST } from '../../localstack/stack/ports.ts'
import { command } from '../support/command.ts'
import { makeTables } from '../support/deployed-tables.ts'
import { type FakeAws, fakeAws } from '../support/fake-aws.ts'
import { freePort } from '../support/free-port.ts'

const DEPLOYER = 'arn:aws:iam::111122223333:user/ada'
const data = openDataFolder('memory')
let engine: ReturnType<typeof startDynamoDb>
let sts: FakeAws
let environment: Record<string, string>

beforeAll(async () => {
  const port = await freePort()
  engine = startDynamoDb('dynoxide', { host: HOST, port }, data)
  const who = `<GetCallerIdentityResult><Arn>${DEPLOYER}</Arn><Account>1</Account></GetCallerIdentityResult>`
  sts = await fakeAws({
    GetCallerIdentity: () => [200, `<GetCallerIdentityResponse>${who}</GetCallerIdentityResponse>`],
  })
  environment = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: `http://${HOST}:${port}`,
    AWS_ENDPOINT_URL_STS: sts.url,
  }
  await engine.up
  Object.assign(process.env, environment)
  await makeTables('gatehouse-prod')
})

afterAll(async () => {
  await sts?.close()
  await engine?.part.stop()
  data.close()
})

const admin = (...args: readonly string[]) =>
  command('admin', [...args, '--stage', 'prod'], { ...environment, GATEHOUSE_PASSWORD: 'a-password-of-ada' })
const audit = (...args: readonly string[]) => command('audit', ['--stage', 'prod', ...args], environment)

it('the first admin of a stage, and a refused second one of that name, are rows of its audit trail', async () => {
  const made = await admin('ada', '--json')
  expect([made.code, made.stderr]).toEqual([0, ''])
  const { id } = JSON.parse(made.stdout)
  expect((await admin('ADA')).code).toBe(1)
  const { code, stdout } = await audit('--json')
  const rows = stdout.trimEnd().split('\n')
  expect(code).toBe(0)
  expect(rows.map((row) => JSON.parse(row))).toMatchObject([
    { action: 'user.created', outcome: 'refused', error: 'USER_EXISTS' },
    {
      action: 'user.created',
      outcome: 'done',
      actor: { name: DEPLOYER, authType: 'AWS' },
      target: { type: 'user', id, name: 'ada' },
      change: { role: 'ROLE_ADMIN' },
    },
  ])
  expect((await audit('--target', id, '--outcome', 'done')).stdout.split('\n')).toHaveLength(2)
})

it('npx gatehouse audit says in one line what AWS refuses', async () => {
  const { code, stdout, stderr } = await command('audit', ['--stage', 'test'], environment)
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^AWS refuses: ResourceNotFoundException.*\n$/)])
})
