import { describe, expect, it } from 'vitest'
import { readAuditCommand } from '../../../localstack/audit/options.ts'

const words = (line: string) => line.split(' ').filter((word) => word !== '')

describe('npm run audit', () => {
  it('reads the trail of the local run, or that of a stage by the names from its deployment', () => {
    const local = { json: false, areHeadsWanted: true, stage: undefined }
    expect(readAuditCommand(['verify'])).toEqual({ ...local, mode: 'verify' })
    const place = { name: 'prod', logGroup: '/gatehouse/prod/audit', table: 'gatehouse-prod-audit', days: 400 }
    expect(readAuditCommand(words('list --stage prod --json --without-heads'))).toEqual({
      mode: 'list',
      json: true,
      areHeadsWanted: false,
      stage: place,
    })
    const elsewhere = readAuditCommand(words('verify --stage prod --log-group /a --table b --days 30'))
    expect(elsewhere.stage).toEqual({ name: 'prod', logGroup: '/a', table: 'b', days: 30 })
  })

  it.each<[string, string]>([
    ['', 'Say verify or list'],
    ['check', 'Say verify or list'],
    ['verify list', 'Say verify or list'],
    ['verify --days 3', 'go with --stage'],
    ['verify --log-group /a', 'go with --stage'],
    ['verify --stage local', '--stage must name a deployed stage'],
    ['verify --stage ../x', '--stage must name a deployed stage'],
    ['verify --stage prod --days 0', '--days must be'],
    ['verify --all', '--all'],
  ])('refuses "%s"', (line, problem) => {
    expect(() => readAuditCommand(words(line))).toThrow(problem)
  })
})
