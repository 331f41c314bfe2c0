import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd, env } from 'node:process'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DESTINATIONS_STACK, isOfDestinations } from '../../infra/deliver/names.ts'
import { DEMO } from '../../lib/runtime/settings/strength.ts'
import { DEMO_DIRECTORY } from '../../localstack/directory/demo.ts'
import type { VerifyReport } from '../../localstack/verify/report.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'
import { AWS_FUNCTION, hasAwsTools } from '../support/aws/command-line.ts'
import { type StandIn, startStandIn } from '../support/aws/stand-in.ts'
import { type Shell, startShell } from '../support/shell.ts'
import { SHORT_CUTS } from '../support/short-cuts.ts'

const hasTools = hasAwsTools()

const PAGES = Object.fromEntries(
  ['deploy', 'rotation', 'container'].map((name) => [name, readFileSync(`docs/${name}.md`, 'utf8')]),
)

/** What nothing here runs, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'pinned() ': 'no Docker, and no registry of images',
  'docker buildx create --use': 'no Docker',
  'docker run --read-only --cap-drop ALL': 'no Docker; quality/long/image.test.ts starts the image so without it',
  'git pull': 'there is no other version to go to',
}

/** Each block, and each command within a sentence. */
const commands = Object.values(PAGES).flatMap((page) => [
  ...[...page.matchAll(/^```sh \(.*?\)\n(.*?)^```/gms)].map(([, block = '']) => block),
  ...[...page.replaceAll(/^```.*?^```/gms, '').matchAll(/`((?:aws|change|docker|git|back) [^`]+)`/g)].map(
    ([, command = '']) => command.replaceAll(/\n */g, ' '),
  ),
])
const ran = new Set<string>()

/** The command that begins so, as it stands on its page. */
function command(beginning: string): string {
  const found = commands.filter((each) => each.replace(/^#.*\n/, '').startsWith(beginning))
  if (found.length === 0) throw new Error(`no page has: ${beginning}`)
  ran.add(found[0] ?? '')
  return found[0] ?? ''
}

const copy = temporaryFolder()
const data = temporaryFolder()
const outputs: Record<string, string> = {}
let aws: StandIn
let shell: Shell
let stage: Stack | undefined
let offset: number

/** Amazon's list of networks, which is not reached from here, in its documented form. */
const NETWORKS = JSON.stringify({
  prefixes: [
    {
      ip_prefix: '120.52.22.96/27',
      region: 'GLOBAL',
      service: 'CLOUDFRONT_ORIGIN_FACING',
      network_border_group: 'GLOBAL',
    },
    { ip_prefix: '3.5.140.0/22', region: 'ap-northeast-2', service: 'AMAZON', network_border_group: 'ap-northeast-2' },
  ],
})

const BEGINNING = `
${SHORT_CUTS}
${AWS_FUNCTION}
curl() { case "$*" in *ip-ranges*) echo '${NETWORKS}';; *) command curl "$@";; esac; }
`

describe.skipIf(!hasTools)('the deployment pages, run by somebody who follows them', () => {
  beforeAll(async () => {
    copyProject(cwd(), copy.path)
    mkdirSync(join(copy.path, 'handlers/payment'), { recursive: true })
    cpSync('examples/payment/thank-customer.ts', join(copy.path, 'handlers/payment/thank-customer.ts'))
    offset = await freeOffset()
    outputs['BaseUrl'] = `http://127.0.0.1:${3000 + offset}`
    aws = await startStandIn(outputs, () => stage?.ready)
    const settings = {
      PATH: `${join(copy.path, 'node_modules/.bin')}:${env['PATH']}`,
      HOME: env['HOME'],
      CI: 'true',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL: aws.url,
      SLS_AWS_MONITORING_FREQUENCY: '50',
    }
    shell = startShell(copy.path, settings, BEGINNING)
  })

  afterAll(async () => {
    await stage?.stop()
    shell.stop()
    await aws.stop()
    copy.remove()
    data.remove()
  })

  const run = (beginning: string, input?: string) => shell.run(command(beginning), input)
  const secret = async (name: string) => JSON.parse(await shell.run(`current ${name}`))
  const stackStatus = () => aws.stacks.get('gatehouse-prod')?.status

  it('1, 2: a region, a quota and the secrets', async () => {
    await run('export AWS_REGION')
    expect(await run('aws sts get-caller-identity')).toContain('user/ada')
    expect(await run('aws service-quotas')).toContain('PENDING')
    await run('export AWS_REGION=eu-central-1 STAGE=prod\nrandom()')
    await run('current() {')
    expect(Object.keys(await secret('webhooks'))).toEqual(['WEBHOOK_SECRETS'])
    const drawn = (await secret('webhooks')).WEBHOOK_SECRETS.canary
    await run('change webhooks --arg secret')
    const { canary } = (await secret('webhooks')).WEBHOOK_SECRETS
    expect(canary).toHaveLength(drawn.length)
    expect(canary).not.toBe(drawn)
  })

  it('the preflight finds no obstacle', async () => {
    const printed = await run('npm run build')
    expect(printed).not.toMatch(/^fail/m)
    expect(printed).toMatch(/^ok +secrets/m)
  })

  it('3: a first deployment fails within the nested stack, reports why, and succeeds the second time', async () => {
    aws.fail((id) => (isOfDestinations(id) && id !== DESTINATIONS_STACK ? 'You lack a right' : undefined))
    await expect(run('npx serverless deploy')).rejects.toThrow(/Embedded stack \S+ was not successfully created/)
    expect(await run('aws cloudformation describe-stack-events --output text')).toContain('You lack a right')
    expect(await run('aws cloudformation describe-stack-events --stack-name')).toMatch(
      /DestinationsStack.*UPDATE_ROLLBACK_COMPLETE/s,
    )
    aws.fail()
    aws.account.now += 60
    await run('npx serverless deploy')
    expect([stackStatus(), aws.stacks.get('gatehouse-prod')?.isProtected]).toEqual(['UPDATE_COMPLETE', true])
  })

  it('4: the stage is inspected, gets its first admin, and is verified', async () => {
    // Which, here, has a directory and login providers: their secrets are those of a local run.
    const { LDAP_BIND_DN, LDAP_BIND_PASSWORD } = DEMO_DIRECTORY
    const clients = ['GOOGLE', 'GITHUB', 'FACEBOOK'].map((name) => [`OAUTH2_${name}_CLIENT_SECRET`, DEMO.clientSecret])
    await shell.run(`create directory <<<'${JSON.stringify({ LDAP_BIND_DN, LDAP_BIND_PASSWORD })}'`)
    await shell.run(`create oauth2 <<<'${JSON.stringify(Object.fromEntries(clients))}'`)
    stage = await startStack(
      {
        PORT_OFFSET: String(offset),
        DATA_DIR: data.path,
        SECRETS_PREFIX: 'gatehouse/prod',
        SECRET_MAX_AGE_SECONDS: '0.5',
        AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
      },
      ['env', '-C', copy.path],
      ['--strict'],
    )
    expect(await run('URL=')).toMatch(/Hello/i)
    await run('aws logs tail')
    expect(await run('export GATEHOUSE_USER', 'a-password-of-ada\n')).toMatch(/^ada is an admin of prod/)
    const { checks } = JSON.parse(readFileSync(join(copy.path, 'verified.json'), 'utf8')) as VerifyReport
    const named = (wanted: string) => checks.filter(({ level }) => level === wanted).map(({ check }) => check)
    expect([named('fail'), named('skipped')]).toEqual([[], ['burst', 'retry', 'replay of 20 steps']])
    expect(await shell.run('npm run --silent audit -- list --stage $STAGE')).toMatch(
      /user\.created +arn:aws:iam::111122223333:user\/ada .* ada ROLE_ADMIN$/m,
    )
  })

  it('5: a provider is accepted with a secret that the provider generated', async () => {
    const drawn = `whsec_${randomBytes(24).toString('hex')}`
    writeFileSync(join(copy.path, 'stripe-secret'), `${drawn}\n`)
    await run('change webhooks --rawfile')
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'payment_intent.succeeded',
      created: 1,
      data: { object: {} },
    })
    await expect
      .poll(
        async () => {
          const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: drawn })
          const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
          return (await fetch(`${stage?.ready.http}/webhooks/stripe`, { method: 'POST', headers, body: payload }))
            .status
        },
        { timeout: 20_000 },
      )
      .toBe(200)
  })

  it('6, 7: alarms and an edge; a later deployment that fails needs --force', async () => {
    await run('TOPIC=')
    const { template } = aws.stacks.get('gatehouse-prod') ?? {}
    expect(JSON.stringify(template?.Resources)).toContain('arn:aws:sns:eu-central-1:111122223333:gatehouse-alarms')
    aws.fail((id) => (id === 'EdgeDistribution' ? 'You lack a right' : undefined))
    await expect(run('aws cloudformation deploy')).rejects.toThrow('You lack a right')
    expect(stackStatus()).toBe('UPDATE_ROLLBACK_COMPLETE')
    aws.fail()
    await shell.run('npx serverless deploy --stage $STAGE --force')
    expect(stackStatus()).toBe('UPDATE_COMPLETE')
    expect(aws.stacks.get('gatehouse-prod')?.resources.has('EdgeDistribution')).toBe(true)
    expect([...aws.stacks.keys()]).toEqual(['gatehouse-prod', 'gatehouse-prod-firewall', 'gatehouse-prod-challenge'])
  })

  it('the rollback continues after it failed', async () => {
    const stack = aws.stacks.get('gatehouse-prod')
    if (stack) stack.status = 'UPDATE_ROLLBACK_FAILED'
    await run('aws cloudformation continue-update-rollback')
    expect(stackStatus()).toBe('UPDATE_ROLLBACK_COMPLETE')
  })

  it('rotation: each secret is replaced as the page says, and a wrong one is reverted', async () => {
    const idsIn = async (name: string, setting: string) =>
      String((await secret(name))[setting])
        .split(',')
        .map((key) => key.split(':')[0])
    const ring = () => idsIn('tokens', 'JWT_KEYS')
    await run('change tokens --arg key "k2')
    expect(await ring()).toEqual(['k1', 'k2'])
    await run('change tokens \'.JWT_KEYS |= (split(",") | [.[-1]]')
    expect(await ring()).toEqual(['k2', 'k1'])
    await run('change tokens \'.JWT_KEYS |= (split(",") | .[0])\'')
    expect(await ring()).toEqual(['k2'])
    await run('change tokens --arg key "k3')
    expect(await ring()).toEqual(['k3'])
    await run('back tokens')
    expect(await ring()).toEqual(['k2'])

    const seals = () => idsIn('audit', 'AUDIT_KEYS')
    await run('change audit --arg key')
    expect(await seals()).toEqual(['a2', 'a1'])
    await run("change audit '.AUDIT_KEYS |=")
    expect(await seals()).toEqual(['a2'])

    const of = async (name: string) => (await secret('webhooks')).WEBHOOK_SECRETS[name]
    const former = await of('stripe')
    const named = (beginning: string) => shell.run(command(beginning).replace('name NAME', 'name stripe'))
    await named('change webhooks --arg name NAME --arg new')
    const drawn = (await of('stripe'))[1]
    expect(await of('stripe')).toEqual([former, expect.stringMatching(/^[\w-]{32}$/)])
    await named('change webhooks --arg name NAME --arg until')
    expect(await of('stripe')).toEqual([{ value: former, notAfter: '2027-01-31T00:00:00Z' }, drawn])
    await named("change webhooks --arg name NAME '.WEBHOOK_SECRETS[$name] |= .[-1:]'")
    expect(await of('stripe')).toEqual([drawn])

    writeFileSync(join(copy.path, 'new-secret'), 'a-new-client-secret\n')
    writeFileSync(join(copy.path, 'new-password'), 'a-new-password\n')
    await run('change oauth2')
    expect(await secret('oauth2')).toMatchObject({ OAUTH2_GITHUB_CLIENT_SECRET: 'a-new-client-secret' })
    await run('change directory')
    expect(await secret('directory')).toEqual({
      LDAP_BIND_DN: 'cn=gatehouse-b,ou=services,dc=example',
      LDAP_BIND_PASSWORD: 'a-new-password',
    })
    await expect(shell.run("change tokens 'no jq'")).rejects.toThrow('jq')
    expect(await ring()).toEqual(['k2'])
  })

  it('the container has a repository', async () => {
    expect(await run('aws ecr create-repository')).toContain('gatehouse-adapter')
  })

  it('at the end only the resources that the page names are left', async () => {
    await run('aws cloudformation update-termination-protection')
    const left = () =>
      aws.account.names().filter((name) => /-prod|\/prod/.test(name) && !/firewall|challenge/.test(name))
    const tables = left().filter((name) => name.startsWith('gatehouse-prod-'))
    expect(left().toSorted()).toEqual(['/gatehouse/prod/audit', ...tables].toSorted())
    await run('for TABLE in')
    expect(left()).toEqual([])
    await run('aws secretsmanager restore-secret')
    expect(Object.keys(await secret('tokens'))).toEqual(['JWT_KEYS'])
  })

  it('every command of the pages was run, except those that are listed', () => {
    const open = commands.filter((each) => !ran.has(each)).map((each) => each.split(/\n|(?=\{)/, 1)[0])
    expect(open.toSorted()).toEqual(Object.keys(NOT_RUN).toSorted())
    const marked = Object.values(PAGES).flatMap((page) => [...page.matchAll(/^```sh \(not run here\)\n(.*)$/gm)])
    expect(marked.map(([, line = '']) => line.split('{')[0])).toEqual(['pinned() '])
  })
})
