import { afterEach, expect, it, vi } from 'vitest'
import { stackParameters, wrongEdgeSecrets } from '../../../infra/edge/secrets.ts'

const [ONE, OTHER] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string]
const EDGE = { edgeEnabled: 'true' }

const given = (secrets: string) => vi.stubEnv('GATEHOUSE_EDGE_SECRETS', secrets)
afterEach(() => vi.unstubAllEnvs())

it.each([ONE, `${ONE},${OTHER}`])(
  'the shell of a deployment gives CloudFormation the secrets of the edge: %s',
  (secrets) => {
    given(secrets)
    expect(wrongEdgeSecrets(EDGE)).toEqual([])
    expect(stackParameters(EDGE)).toEqual([{ ParameterKey: 'EdgeSecrets', ParameterValue: secrets }])
  },
)

it('a stage without an edge needs none, and tells none', () => {
  given('')
  expect(wrongEdgeSecrets({ edgeEnabled: 'false' })).toEqual([])
  given(ONE)
  expect(stackParameters({ edgeEnabled: 'false' })).toEqual([])
})

it.each([
  ['', /^edgeEnabled: set GATEHOUSE_EDGE_SECRETS in this shell/],
  ['short', /^GATEHOUSE_EDGE_SECRETS: must be one or two texts of 32 to 128/],
  [`${ONE},${OTHER},${ONE}`, /must be one or two/],
  [`${ONE} ${OTHER}`, /must be one or two/],
  [`${ONE}"`, /must be one or two/],
])('%j is refused, and the reason does not have it', (secrets, reason) => {
  given(secrets)
  const [why = '', ...more] = wrongEdgeSecrets(EDGE)
  expect(why).toMatch(reason)
  expect(more).toEqual([])
  if (secrets) expect(why).not.toContain(secrets)
})
