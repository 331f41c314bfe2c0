import { readFileSync, writeFileSync } from 'node:fs'
import { METAFILES } from '../build.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { dependencies } from './dependencies.ts'
import { deployedParts } from './parts.ts'

const parts = deployedParts(JSON.parse(readFileSync(METAFILES, 'utf8')))
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(billOfMaterials(parts), null, 2)}\n`)
writeFileSync('docs/dependencies.md', dependencies(parts))
