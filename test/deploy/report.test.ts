import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { packagedIn, reportOf } from '../../infra/check/report.ts'
import { failing, passed } from '../../infra/finding.ts'
import { ofType } from '../support/template/template.ts'
import { packaged, templateOf } from './packages.ts'

const found = [passed('credentials', 'account 111122223333'), failing('secrets', 'none', 'make it')]
const pageOf = (name: 'everything' | 'prod') => {
  const read = packagedIn(join(inject('packages'), name))
  return read ? reportOf(name, read, found) : ''
}

/** The rows of a section, as lists of cells. */
function rowsIn(page: string, title: string): readonly (readonly string[])[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('| '))
  return lines.slice(1).map((line) => line.slice(2, -2).split(' | '))
}

it('the page of a stage counts every resource in its stack, and names every alarm with whom it tells', () => {
  const [everything, prod] = [pageOf('everything'), pageOf('prod')]
  const counted = Object.fromEntries(
    rowsIn(everything, 'Resources').map(([stack = '', count]) => [stack, Number(count)]),
  )
  expect(counted).toMatchObject({
    'the main stack': Object.keys(packaged('everything').Resources).length,
    ShiftStack: Object.keys(packaged('everything', 'cloudformation-template-shift.json').Resources).length,
  })
  const names = ofType(templateOf('everything'), 'AWS::CloudWatch::Alarm').map(
    ({ Properties }) => Properties['AlarmName'],
  )
  expect(rowsIn(everything, 'Alarms').map(([name]) => name)).toEqual(names)
  expect(new Set(rowsIn(everything, 'Alarms').map(([, , told]) => told))).toEqual(new Set(['its topic']))
  expect(new Set(rowsIn(prod, 'Alarms').map(([, , told]) => told))).toEqual(new Set(['–']))
})

it('it says what roles may on everything, who gets in without credentials, what it costs and what was not tried', () => {
  const page = pageOf('everything')
  const onAll = Object.fromEntries(rowsIn(page, 'Rights').map(([service = '', , all]) => [service, all]))
  expect(onAll).toMatchObject({
    dynamodb: 'none',
    secretsmanager: 'none',
    xray: 'PutTelemetryRecords, PutTraceSegments',
  })
  const surfaces = Object.fromEntries(rowsIn(page, 'Public surfaces').map(([name = '', who = '']) => [name, who]))
  expect(surfaces['open to callers who sign']).toContain('`POST /webhooks/{provider}`')
  expect(surfaces['public']).toContain('`POST /api/auth/login`')
  expect(surfaces['HTTP API']).toContain('refuse calls past CloudFront')
  expect(rowsIn(page, 'Costs').map(([what]) => what)).toContain('**together**')
  expect(rowsIn(page, 'Checks')).toEqual([
    ['ok', 'credentials', 'account 111122223333'],
    ['fail', 'secrets', 'none: make it'],
  ])
  expect(rowsIn(page, 'Not tried on AWS')).toContainEqual(['deploy.md', expect.stringMatching(/^AWS itself/)])
  const tags = rowsIn(page, 'What it sets').find(([name]) => name === 'tags')
  expect(tags).toEqual(['tags', '{"cost-center":"4711","owner":"payments@example.com"}'])
})

it('there is no page of nothing', () => {
  expect(packagedIn(join(inject('packages'), 'nowhere'))).toBeUndefined()
})
