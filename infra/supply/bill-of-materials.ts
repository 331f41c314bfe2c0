import { Buffer } from 'node:buffer'
import manifest from '../../package.json' with { type: 'json' }
import { packageIn } from './packages.ts'
import type { Parts } from './parts.ts'

const PRODUCT = { type: 'application', name: manifest.name, version: manifest.version } as const

/**
 * The actual content of each deployed part, in the format CycloneDX 1.6 (ECMA-424). The result does not depend on when
 * or where it is made.
 */
export function billOfMaterials(parts: Parts) {
  const libraries = new Map(
    Object.values(parts)
      .flat()
      .sort()
      .map((folder) => [packageUrl(folder), library(folder)]),
  )
  const names = Object.keys(parts).sort()
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { ...PRODUCT, 'bom-ref': manifest.name, licenses: [{ license: { id: manifest.license } }] },
    },
    components: [
      ...names.map((name) => ({ type: 'application', 'bom-ref': name, name, version: manifest.version })),
      ...libraries.values(),
    ],
    dependencies: [
      { ref: manifest.name, dependsOn: names },
      ...names.map((ref) => ({ ref, dependsOn: [...new Set(parts[ref]?.map(packageUrl))].sort() })),
    ],
  }
}

function library(folder: string) {
  const { name, version, licence, integrity } = packageIn(folder)
  const reference = packageUrl(folder)
  return {
    type: 'library',
    'bom-ref': reference,
    name,
    version,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }],
    licenses: [{ expression: licence }],
    purl: reference,
  }
}

/** https://github.com/package-url/purl-spec: the @ of a scope is encoded. */
function packageUrl(folder: string): string {
  const { name, version } = packageIn(folder)
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
