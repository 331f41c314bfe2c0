import { readFileSync } from 'node:fs'
import specifications from '@aws-cdk/aws-service-spec'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Named } from '../support/template/template.ts'
import { templateOf } from './packages.ts'

const WIDE = parse(readFileSync('stages/platform.yml', 'utf8'))
const KEY = WIDE.kmsKeyArn
const database = await specifications.loadAwsServiceSpec()
const specified = (type: string) => database.lookup('resource', 'cloudFormationType', 'equals', type)[0]

const { Resources: resources } = templateOf('everything')
const all = Object.entries(resources).map(([name, one]): Named => ({ ...one, name }))
const of = (type: string) => all.filter(({ Type }) => Type === type)
const folderOf = ({ Properties }: Named) => String(Properties['Handler']).split('/')[1]

describe('what the file of a stage sets is at every resource that has such a property', () => {
  it('tags', () => {
    const taking = all.filter(({ Type }) => specified(Type)?.tagInformation)
    expect(new Set(taking.map(({ Type }) => Type)).size).toBeGreaterThan(15)
    for (const { name, Properties, Type } of taking) {
      const isMap = specified(Type)?.tagInformation?.variant === 'map'
      const tags = Object.entries(WIDE.tags).map(([Key, Value]) => ({ Key, Value }))
      expect(Properties?.['Tags'], name).toEqual(
        isMap ? expect.objectContaining(WIDE.tags) : expect.arrayContaining(tags),
      )
    }
  })

  it('the boundary and the path of roles', () => {
    const roles = of('AWS::IAM::Role')
    expect(roles.length).toBeGreaterThan(80)
    for (const { name, Properties } of roles) {
      expect(Properties, name).toMatchObject({ PermissionsBoundary: WIDE.permissionsBoundary, Path: WIDE.rolePath })
    }
  })

  it('the key', () => {
    for (const { Properties } of of('AWS::DynamoDB::Table'))
      expect(Properties['SSESpecification']).toEqual({ SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: KEY })
    for (const { Properties } of of('AWS::SQS::Queue')) expect(Properties['KmsMasterKeyId']).toBe(KEY)
    for (const { Properties } of of('AWS::Logs::LogGroup')) expect(Properties['KmsKeyId']).toBe(KEY)
  })

  it('the right to use it, of roles that reach DynamoDB, SQS or a secret, for these only', () => {
    for (const { name, Properties } of of('AWS::IAM::Role')) {
      const { Policies: policies } = Properties as unknown as {
        Policies: { PolicyName: string; PolicyDocument: object }[]
      }
      const [found, ...others] = policies.filter(({ PolicyName }) => PolicyName === 'key')
      const isNeeded = /"(?:dynamodb|secretsmanager|sqs):/.test(JSON.stringify(policies.filter((one) => one !== found)))
      expect([found !== undefined, others], name).toEqual([isNeeded, []])
      if (!isNeeded) continue
      const Condition = { StringEquals: { 'kms:ViaService': expect.any(Array) } }
      expect(found?.PolicyDocument, name).toMatchObject({ Statement: [{ Resource: [KEY], Condition }] })
    }
  })

  it('concurrency, memory and time-out of the intake, and of no other function', () => {
    for (const one of of('AWS::Lambda::Function')) {
      const { ReservedConcurrentExecutions: reserved, MemorySize: memory, Timeout: timeout } = one.Properties
      if (folderOf(one) === 'webhooks')
        expect([reserved, memory, timeout], one.name).toEqual([100, 1024, expect.toSatisfy((seconds) => seconds >= 20)])
      else expect([reserved, memory === 1024], one.name).toEqual([undefined, false])
    }
  })
})
