// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the references of CloudFormation stand here as text
import { expect, it } from 'vitest'
import { fillDashboard } from '../../../infra/deliver/dashboard.ts'
import { addRoles } from '../../../infra/iam/role.ts'
import { shareLogs } from '../../../infra/logs.ts'
import { allowedBy, type Role } from '../../support/allowed.ts'

const BODY = ['logs ${EachLog} ${EachNumber}', 'functions ${EachFunction}', 'end'].join('\n')

function service() {
  const sub: [string, object] = [BODY, {}]
  return {
    sub,
    service: 'gatehouse',
    provider: { environment: { STAGE: 'prod', SECRETS_PREFIX: 'gatehouse/prod' }, logRetentionInDays: 90 },
    resources: {
      Resources: { Dashboard: { Properties: { DashboardBody: { 'Fn::Sub': sub } } } } as Record<string, unknown>,
    },
    functions: {
      users: { handler: 'dist/api/users/index.handler' },
      keys: { handler: 'dist/api/keys/index.handler' },
      fallback: { handler: 'dist/fallback/index.handler' },
    },
  }
}

it('the functions of a folder share one log group, which is made before them, and each may write to that group only', () => {
  const all = service()
  shareLogs({ service: all })
  addRoles({ service: all }, { users: [], keys: [], fallback: [] })
  const { Resources: resources } = all.resources
  expect(all.functions.keys).toMatchObject({
    disableLogs: true,
    logs: { logGroup: '/gatehouse/prod/api' },
    dependsOn: 'ApiLogGroup',
  })
  expect(Object.keys(resources).filter((id) => id.endsWith('LogGroup'))).toEqual(['ApiLogGroup', 'FallbackLogGroup'])
  expect(resources['FallbackLogGroup']).toEqual({
    Type: 'AWS::Logs::LogGroup',
    Properties: { LogGroupName: '/gatehouse/prod/fallback', RetentionInDays: 90 },
  })
  const written = ['UsersRole', 'KeysRole', 'FallbackRole'].map(
    (id) => Object.keys(allowedBy(resources[id] as Role))[0],
  )
  expect(written).toEqual(['/gatehouse/prod/api', '/gatehouse/prod/api', '/gatehouse/prod/fallback'])
})

it('the dashboard has a line for each log group and each function', () => {
  const all = service()
  fillDashboard({ service: all })
  expect(all.sub[0].split('\n')).toEqual([
    'logs ${ApiLogGroup} 0',
    'logs ${FallbackLogGroup} 1',
    'functions ${UsersLambdaFunction}',
    'functions ${KeysLambdaFunction}',
    'functions ${FallbackLambdaFunction}',
    'end',
  ])
})
