import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { unknownTypes } from '../../../../infra/preflight/rights.ts'
import { actionsIn, callerIs, role, simulated, told, tryToDeploy, xmlError } from '../../../support/deployer.ts'

async function askedFor(stage: string) {
  const { calls } = await tryToDeploy(stage)
  const asked = calls.filter(([operation]) => operation === 'SimulatePrincipalPolicy').map(([, body]) => body)
  return {
    services: [...new Set(asked.flatMap(actionsIn).map((action) => action.split(':')[0]))].sort(),
    resources: asked.map((body) => body['ResourceArns.member.1']),
  }
}

const ALWAYS = ['cloudformation', 'dynamodb', 'secretsmanager']

it.each([
  ['prod', ALWAYS],
  ['edge', [...ALWAYS, 'cloudfront', 'lambda', 'route53'].sort()],
  ['container', [...ALWAYS, 'ecs', 'iam'].sort()],
])('in %s exactly the rights for the resources of its template are checked', async (stage, services) => {
  expect((await askedFor(stage)).services).toEqual(services)
})

it('they are checked for names of the stage and for its parameters', async () => {
  const { resources } = await askedFor('edge')
  expect(resources).toContain('arn:aws:dynamodb:eu-central-1:111122223333:table/gatehouse-edge-preflight')
  expect(resources).toContain('arn:aws:lambda:us-east-1:111122223333:function:gatehouse-challenge:1')
  expect(resources).toContain('arn:aws:route53:::hostedzone/Z0123456789ABCDEFGHIJ')
  expect(resources).toContain('arn:aws:secretsmanager:eu-central-1:111122223333:secret:gatehouse/edge/preflight')
})

it('a missing right is named with its resource', async () => {
  const judge = simulated((action) => (/Delete(?:Table|Stack)$/.test(action) ? 'implicitDeny' : 'allowed'))
  expect(told(await tryToDeploy('prod', { SimulatePrincipalPolicy: judge }), 'rights')).toEqual([
    'fail | not allowed on arn:aws:cloudformation:eu-central-1:111122223333:stack/gatehouse-prod/*: cloudformation:DeleteStack | docs/deploy.md, step 1, has them all',
    'fail | not allowed on arn:aws:dynamodb:eu-central-1:111122223333:table/gatehouse-prod-*: dynamodb:DeleteTable | docs/deploy.md, step 1, has them all',
  ])
})

it('a right under an unknown condition causes a warning, unless it is explicitly denied', async () => {
  const open = simulated(
    (action) => (/DeleteTable|UpdateTable/.test(action) ? 'implicitDeny' : 'allowed'),
    ['aws:PrincipalTag/team'],
  )
  expect(told(await tryToDeploy('prod', { SimulatePrincipalPolicy: open }), 'rights')).toEqual([
    'warn | on arn:aws:dynamodb:eu-central-1:111122223333:table/gatehouse-prod-* it depends on aws:PrincipalTag/team: dynamodb:UpdateTable, dynamodb:DeleteTable | look at the policy that names it',
  ])
  const denied = simulated((action) => (action === 'dynamodb:DeleteTable' ? 'explicitDeny' : 'allowed'), ['aws:x'])
  expect(told(await tryToDeploy('prod', { SimulatePrincipalPolicy: denied }), 'rights')).toEqual([
    expect.stringMatching(/^fail \| not allowed on .*: dynamodb:DeleteTable \|/),
  ])
})

const SESSION = callerIs('arn:aws:sts::111122223333:assumed-role/Deployer/ada')

it.each([
  ['with its path', () => role('arn:aws:iam::111122223333:role/teams/Deployer'), 'role/teams/Deployer'],
  ['by its name if it may not be read', () => xmlError('AccessDenied', 403), 'role/Deployer'],
])('a session is checked as its role, %s', async (_, GetRole, name) => {
  const { calls } = await tryToDeploy('prod', { GetCallerIdentity: SESSION, GetRole })
  const [, body] = calls.find(([operation]) => operation === 'SimulatePrincipalPolicy') ?? []
  expect(body?.['PolicySourceArn']).toBe(`arn:aws:iam::111122223333:${name}`)
})

it.each([
  ['AccessDenied', 'warn | not looked at | allow iam:SimulatePrincipalPolicy, or look yourself'],
  [
    'NoSuchEntity',
    'warn | IAM does not find arn:aws:iam::111122223333:user/ada | allow iam:GetRole on it, or look yourself',
  ],
  [
    'InvalidInput',
    'fail | InvalidInputException: no | npm run preflight asks with iam:SimulatePrincipalPolicy; find out why AWS refuses',
  ],
])('a simulation that ends with %s is reported', async (code, line) => {
  const deployer = await tryToDeploy('prod', { SimulatePrincipalPolicy: () => xmlError(code, 403) })
  expect(told(deployer, 'rights')).toEqual([line])
})

it('the rights of every resource type in the templates of this project are known', () => {
  const files = globSync('infra/**/*.{yml,ts}', { exclude: ['infra/edge/**', 'infra/preflight/**'] })
  const named = files.flatMap((file) => readFileSync(file, 'utf8').match(/\bAWS::\w+::\w+/g) ?? [])
  expect(new Set(named).size).toBeGreaterThan(25)
  expect(unknownTypes(new Set(named))).toEqual([])
})

it('a type without known rights causes a warning', async () => {
  const packaged = { Resources: { Key: { Type: 'AWS::KMS::Key' } } }
  expect(told(await tryToDeploy('prod', {}, [], packaged), 'rights')).toEqual([
    'warn | what AWS::KMS::Key takes is not known | look at it yourself',
  ])
})
