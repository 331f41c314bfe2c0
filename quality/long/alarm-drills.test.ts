import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { queried } from '../../test/support/cloudwatch/insights.ts'
import { sectionOf } from '../../test/support/cloudwatch/runbook.ts'
import { type DrillStage, startDrillStage } from '../../test/support/drills/stage.ts'
import { hasOpenssl } from '../../test/support/slapd.ts'
import { temporaryFolder } from '../../test/support/stack.ts'
import { ACCESS } from './drills/access.ts'
import { ADAPTER, stopAdapter } from './drills/adapter.ts'
import { CALLS } from './drills/calls.ts'
import { DESTINATIONS } from './drills/destinations.ts'
import type { Drill, Variables } from './drills/drill.ts'
import { EVENTS } from './drills/events.ts'
import { JOBS } from './drills/jobs.ts'
import { SOURCES } from './drills/sources.ts'

/** Longer ago than any alarm looks back, but those of the retention, in minutes. */
const LONG_AGO = 25 * 60

/** Those of sources first: whoever spoke in other drills would be silent in them. */
const DRILLS = [...SOURCES, ...EVENTS, ...JOBS, ...CALLS, ...ACCESS, ...DESTINATIONS, ...ADAPTER]

const folder = temporaryFolder()
const hasAws = spawnSync('aws', ['--version']).status === 0
let stage: DrillStage

beforeAll(async () => {
  if (hasOpenssl()) stage = await startDrillStage(folder.path)
}, 900_000)

afterAll(async () => {
  stopAdapter()
  await stage?.stop()
  folder.remove()
})

afterEach(async () => {
  for (const proxy of [stage.store, stage.sqs, stage.logs]) proxy.set('none')
  stage.secretsManager.fail()
  await stage.queues.purgeAll()
  stage.pass(LONG_AGO)
})

async function drilled({ alarm, of, works, breaks, finds = [], shows, mends }: Drill): Promise<void> {
  const name = [alarm, of].filter(Boolean).join('-')
  const { queries, commands } = sectionOf(alarm)
  const began = Date.now()
  await works?.(stage)
  expect(await stage.state(name), 'while the stage works').toBe('OK')
  const variables = await breaks(stage)
  expect(await stage.state(name), 'with the fault').toBe('ALARM')
  const lines = stage.lines.filter(({ at }) => at >= began)
  const seen = lines.map(({ message }) => message).join('\n')
  expect(
    queries.map((query) => JSON.stringify(queried(query, lines))),
    seen,
  ).toEqual(finds.map((row) => expect.stringMatching(row)))
  await expectShown(commands, shows, variables)
  await mends(stage)
  expect(await stage.state(name), 'when it is mended').toBe('OK')
}

async function expectShown(
  commands: readonly string[],
  shows: readonly RegExp[],
  variables?: Variables,
): Promise<void> {
  expect(commands).toHaveLength(shows.length)
  for (const [index, command] of commands.entries()) {
    if (!hasAws && command.includes('aws ')) {
      console.log(`not run, as there is no aws here: ${command}`)
      continue
    }
    expect(await stage.shell(command, variables), command).toMatch(shows[index] as RegExp)
  }
}

describe.skipIf(!hasOpenssl())('an alarm, its metric, its page and the commands of it:', () => {
  it.each(DRILLS)('$alarm, when $fault', drilled)
})
