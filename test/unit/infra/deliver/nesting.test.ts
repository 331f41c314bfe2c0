import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { beforeEach, expect, it } from 'vitest'
import type { StackTemplate } from '../../../../infra/deliver/nested.ts'
import { nestStacks, uploadNested } from '../../../../infra/deliver/nesting.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const FOLDER = 'serverless/gatehouse/prod/1-2026-01-01T00:00:00.000Z'
const BASE = { RetryQueue: { Type: 'AWS::SQS::Queue', Properties: {} } }
const WITH_DESTINATION = {
  ...BASE,
  DeliverCrmQueue: { Type: 'AWS::SQS::Queue', Properties: {} },
  DeliverCrmLambdaFunction: {
    Type: 'AWS::Lambda::Function',
    Properties: { Code: { S3Bucket: { Ref: 'Bucket' }, S3Key: `${FOLDER}/deliverCrm.zip` } },
  },
}

let serviceDir: string

beforeEach(() => {
  const folder = temporaryFolder()
  serviceDir = folder.path
  return folder.remove
})

function engineWith(Resources: StackTemplate['Resources'], endpoint = '') {
  const credentials = async () => ({ accessKeyId: 'local', secretAccessKey: 'local' })
  const provider = { compiledCloudFormationTemplate: { Resources } as StackTemplate, shouldNotDeploy: false }
  return {
    serviceDir,
    service: { package: { artifactDirectoryName: FOLDER }, provider },
    getProvider: () => ({
      getAwsSdkV3Config: async () => ({ region: 'eu-central-1', endpoint, credentials }),
      getServerlessDeploymentBucketName: async () => 'packages',
    }),
  }
}

const file = () => join(serviceDir, '.serverless/cloudformation-template-destinations.json')

it('the template of destinations is written to the packages, and its address in the bucket is in the parent', async () => {
  const engine = engineWith(WITH_DESTINATION)
  await nestStacks(engine)
  const { Resources: resources } = engine.service.provider.compiledCloudFormationTemplate
  expect(Object.keys(resources)).toEqual(['RetryQueue', 'DestinationsStack'])
  expect(resources['DestinationsStack']?.Properties).toEqual({
    TemplateURL: {
      'Fn::Join': [
        '',
        [
          ...['https://s3.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }, '/'],
          ...[{ Ref: 'Bucket' }, `/${FOLDER}/cloudformation-template-destinations.json`],
        ],
      ],
    },
    Parameters: { Bucket: { Ref: 'Bucket' } },
  })
  expect(Object.keys(JSON.parse(readFileSync(file(), 'utf8')).Resources)).toEqual([
    'DeliverCrmQueue',
    'DeliverCrmLambdaFunction',
  ])
})

it('without destinations there is one stack', async () => {
  const engine = engineWith(BASE)
  await nestStacks(engine)
  await uploadNested(engine)
  expect(engine.service.provider.compiledCloudFormationTemplate).toEqual({ Resources: BASE })
  expect(existsSync(file())).toBe(false)
})

it('saved queries have their own stack, named by its content: the same queries have the same address', async () => {
  const query = (text: string) => ({ Type: 'AWS::Logs::QueryDefinition', Properties: { QueryString: text } })
  const addressOf = async (text: string, folder = FOLDER) => {
    const code = { S3Bucket: { Ref: 'Bucket' }, S3Key: `${folder}/home.zip` }
    const HomeLambdaFunction = { Type: 'AWS::Lambda::Function', Properties: { Code: code } }
    const engine = engineWith({ HomeLambdaFunction, SavedQueryDead: query(text) })
    await nestStacks(engine)
    const { Resources: resources } = engine.service.provider.compiledCloudFormationTemplate
    expect(Object.keys(resources)).toEqual(['HomeLambdaFunction', 'QueriesStack'])
    return resources['QueriesStack']?.Properties?.['TemplateURL']
  }
  const later = FOLDER.replace('1-2026-01-01', '2-2026-01-02')
  expect(await addressOf('filter a')).toEqual(await addressOf('filter a', later))
  expect(await addressOf('filter a')).not.toEqual(await addressOf('filter b'))
  const written = readFileSync(join(serviceDir, '.serverless/cloudformation-template-queries.json'), 'utf8')
  expect(JSON.parse(written)).toEqual({
    AWSTemplateFormatVersion: '2010-09-09',
    Resources: { SavedQueryDead: query('filter b') },
  })
})

/** What is put into the bucket. */
async function uploaded(shouldNotDeploy: boolean) {
  const put: (readonly [path: string | undefined, body: unknown])[] = []
  const server = createServer(async (request, response) => {
    put.push([request.url, await json(request)])
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const engine = engineWith(WITH_DESTINATION, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await nestStacks(engine)
  engine.service.provider.shouldNotDeploy = shouldNotDeploy
  await uploadNested(engine)
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  return put
}

it('a deployment uploads it to the address in its parent', async () => {
  const [[path = '', body] = [], ...others] = await uploaded(false)
  expect(decodeURIComponent(path)).toMatch(`/packages/${FOLDER}/cloudformation-template-destinations.json?`)
  expect(body).toEqual(JSON.parse(readFileSync(file(), 'utf8')))
  expect(others).toEqual([])
})

it('a deployment without changes uploads nothing', async () => {
  expect(await uploaded(true)).toEqual([])
})
