import { afterEach, expect, it } from 'vitest'
import { describeStage, refusedRemovals } from '../../../infra/deployed.ts'
import { destinationsIn } from '../../support/destinations.ts'
import { type FakeAws, fakeAws, NO_STACK } from '../../support/fake-aws.ts'

const DESTINATIONS = destinationsIn({
  crm: { to: 'http', url: 'https://crm.example.com/hooks', from: { '*': ['**'] } },
})

const DEPLOYED = {
  data: 'kept',
  edgeEnabled: 'true',
  domainName: 'hooks.example.com',
  TRUSTED_PROXIES: '130.176.0.0/17',
  logDays: 90,
  adapterEnabled: 'false',
}

let aws: FakeAws | undefined
afterEach(() => aws?.close())

function stackOf(template: object): string {
  const body = JSON.stringify(template).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<GetTemplateResponse><GetTemplateResult><TemplateBody>${body}</TemplateBody></GetTemplateResult></GetTemplateResponse>`
}

/** What a deployment is told where the stack has this template. */
async function refused(deployed: object | undefined, next: object, allowed = '', destinations = DESTINATIONS) {
  const cloud = await fakeAws({
    GetTemplate: ({ StackName: name }) => (name === 'gatehouse-prod' && deployed ? [200, stackOf(deployed)] : NO_STACK),
  })
  aws = cloud
  const engine = {
    getProvider: () => ({
      naming: { getStackName: () => 'gatehouse-prod' },
      getAwsSdkV3Config: async () => ({
        region: 'eu-central-1',
        endpoint: cloud.url,
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      }),
    }),
  }
  return refusedRemovals(engine, describeStage({ ...next }, destinations), allowed)
}

const template = { Resources: {}, Metadata: { Gatehouse: describeStage(DEPLOYED, DESTINATIONS) } }

it('a deployment that changes and adds values removes nothing', async () => {
  const next = { ...DEPLOYED, domainName: 'other.example.com', logDays: 7, adapterEnabled: 'true', PROFILE: 'jdbc' }
  expect(await refused(template, next)).toEqual([])
})

it('one without a setting, a part or a destination of the stage is refused, and the error names the permission', async () => {
  const next = { ...DEPLOYED, edgeEnabled: 'false', TRUSTED_PROXIES: '', data: 'disposable' }
  expect(await refused(template, next, '', [])).toEqual([
    'This deployment takes away what gatehouse-prod has:',
    '  edgeEnabled',
    '  TRUSTED_PROXIES',
    '  data',
    '  crm',
    'Set it again, or allow it for this run: --param allowRemoval=edgeEnabled,TRUSTED_PROXIES,data,crm',
  ])
})

it('a permitted value is removed, and nothing else', async () => {
  const next = { ...DEPLOYED, edgeEnabled: 'false', TRUSTED_PROXIES: '' }
  expect(await refused(template, next, 'edgeEnabled, TRUSTED_PROXIES')).toEqual([])
  expect(await refused(template, next, 'edgeEnabled')).toEqual([
    'This deployment takes away what gatehouse-prod has:',
    '  TRUSTED_PROXIES',
    'Set it again, or allow it for this run: --param allowRemoval=edgeEnabled,TRUSTED_PROXIES',
  ])
})

it.each([
  ['no stack', undefined],
  ['a stack of a version without a record of its settings', { Resources: {} }],
])('with %s nothing is removed', async (_, deployed) => {
  expect(await refused(deployed, { data: 'disposable' })).toEqual([])
})

it('the template contains the given values, and not the permission of a run', () => {
  expect(describeStage({ ...DEPLOYED, allowRemoval: 'x', alarmTopicArn: '' }, DESTINATIONS)).toEqual({
    parameters: {
      data: 'kept',
      edgeEnabled: 'true',
      domainName: 'hooks.example.com',
      TRUSTED_PROXIES: '130.176.0.0/17',
      logDays: 90,
    },
    destinations: ['crm'],
  })
})
