import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startChild } from '../../localstack/stack/parts.ts'
import { freePort } from './free-port.ts'

const SCHEMA_FOLDERS = ['/etc/ldap/schema', '/etc/openldap/schema']
const MODULE_FOLDERS = ['/usr/lib/ldap', '/usr/lib/openldap']

export interface Slapd {
  readonly ldap: string
  readonly ldaps: string
  /** Its own certificate, in PEM form. */
  readonly ca: string
  stop(): Promise<void>
}

/** Debian keeps servers where a person's PATH does not reach. */
const WITH_SERVERS = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` }

/** Whether OpenLDAP's server can run here; in CI it has to. */
export function hasSlapd(): boolean {
  const isThere = ['slapd', 'slapadd', 'openssl'].every(
    (command) => spawnSync('which', [command], { env: WITH_SERVERS }).status === 0,
  )
  if (isThere) return true
  if (process.env['CI']) throw new Error('CI needs slapd and openssl')
  process.stderr.write('skipped: the contract tests against OpenLDAP need slapd and openssl\n')
  return false
}

/** OpenLDAP's own server with the given entries; `directives` are lines of slapd.conf before the database, `own` of it. */
export async function startSlapd(ldif: string, directives = '', own = ''): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-slapd-'))
  const path = (name: string) => join(folder, name)
  mkdirSync(path('data'))
  const { certificate, key } = selfSigned(folder)
  writeFileSync(path('data.ldif'), ldif)
  writeFileSync(path('slapd.conf'), `${configured(folder, [...tlsWith(certificate, key), directives])}${own}\n`)
  const { status, stderr } = spawnSync('slapadd', ['-q', '-f', path('slapd.conf'), '-l', path('data.ldif')], {
    encoding: 'utf8',
    env: WITH_SERVERS,
  })
  if (status !== 0) throw new Error(`slapadd: ${stderr}`)
  const [plain, tls] = [await freePort(), await freePort()]
  const [ldap, ldaps] = [`ldap://127.0.0.1:${plain}`, `ldaps://127.0.0.1:${tls}`]
  const log = openSync(path('log'), 'w')
  const command = ['slapd', '-f', path('slapd.conf'), '-h', `${ldap} ${ldaps}`, '-d', '0']
  const server = startChild('slapd', command, log, WITH_SERVERS)
  const failed = server.ended.then(() => Promise.reject(new Error(`slapd ended: ${readFileSync(path('log'), 'utf8')}`)))
  await Promise.race([listening(plain), failed])
  return {
    ldap,
    ldaps,
    ca: readFileSync(certificate, 'utf8'),
    async stop() {
      await server.stop()
      closeSync(log)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The configuration of the demo directory in another folder, on any system, with more lines before its database. */
function configured(folder: string, directives: readonly string[]): string {
  return readFileSync('localstack/stack/directory/slapd.conf', 'utf8')
    .replaceAll('/directory', folder)
    .replaceAll('/etc/ldap/schema', folderOf(SCHEMA_FOLDERS))
    .replaceAll('/usr/lib/ldap', folderOf(MODULE_FOLDERS))
    .replace('database', `${directives.join('\n')}\ndatabase`)
}

function tlsWith(certificate: string, key: string): readonly string[] {
  return [`TLSCertificateFile ${certificate}`, `TLSCertificateKeyFile ${key}`]
}

/** Whether certificates can be made here; in CI they have to be. */
export function hasOpenssl(): boolean {
  if (spawnSync('which', ['openssl']).status === 0) return true
  if (process.env['CI']) throw new Error('CI needs openssl')
  process.stderr.write('skipped: what is tested over TLS needs openssl\n')
  return false
}

/** A certificate that nobody trusts yet. */
export function selfSigned(folder: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2']
  const names = ['-subj', '/CN=gatehouse-test', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const { status } = spawnSync('openssl', ['req', '-x509', ...curve, ...names, '-keyout', key, '-out', certificate])
  if (status !== 0) throw new Error('openssl made no certificate')
  return { certificate, key }
}

async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await setTimeout(10)
  }
}

function folderOf(candidates: readonly string[]): string {
  return candidates.find((folder) => existsSync(folder)) ?? ''
}
