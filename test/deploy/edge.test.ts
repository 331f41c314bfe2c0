import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { ofType } from '../support/template/template.ts'
import { packaged, templateOf } from './packages.ts'
import { SECRET } from './setup.ts'

interface FunctionProperties {
  readonly Handler: string
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> }
}

const PARAMETER = { Ref: 'EdgeSecrets' }

/** What each function that a call reaches is told of the edge. */
const toldIn = (name: 'everything' | 'prod') =>
  ofType(templateOf(name), 'AWS::Lambda::Function')
    .map(({ Properties }) => Properties as unknown as FunctionProperties)
    .filter(({ Handler }) => !Handler.startsWith('dist/jobs/'))
    .map(({ Environment: { Variables: variables } }) => variables['EDGE_SECRETS'])

it('CloudFront sends the first secret of the edge, and every function that a call reaches knows all', () => {
  const [edge] = ofType(templateOf('everything'), 'AWS::CloudFront::Distribution')
  expect(edge?.Properties['DistributionConfig']).toMatchObject({
    Origins: [
      {
        OriginCustomHeaders: [
          { HeaderName: 'gatehouse-edge', HeaderValue: { 'Fn::Select': [0, { 'Fn::Split': [',', PARAMETER] }] } },
        ],
      },
    ],
  })
  expect(new Set(toldIn('everything').map((value) => JSON.stringify(value)))).toEqual(
    new Set([JSON.stringify(PARAMETER)]),
  )
  expect(new Set(toldIn('prod'))).toEqual(new Set([undefined]))
})

it('no file of a package has a secret of the edge, and AWS shows none', () => {
  const files = globSync(join(inject('packages'), 'everything/*.json'))
  expect(files.length).toBeGreaterThan(4)
  expect(files.filter((file) => readFileSync(file, 'utf8').includes(SECRET))).toEqual([])
  expect(packaged('everything').Parameters?.['EdgeSecrets']).toMatchObject({ NoEcho: true, Default: '' })
})
