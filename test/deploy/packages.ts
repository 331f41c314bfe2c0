import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { wholeTemplate } from '../support/template/joined.ts'
import { createSpecificationCheck } from '../support/template/specification.ts'
import type { Template } from '../support/template/template.ts'
import type { PackageName } from './setup.ts'

/** The file of the main template of a package. */
const MAIN = 'cloudformation-template-update-stack.json'

/** A template among the packages of `setup.ts`, as the engine wrote it: what is nested in it is in other files. */
export function packaged(name: PackageName, file = MAIN): Template {
  return JSON.parse(readFileSync(join(inject('packages'), name, file), 'utf8'))
}

/** The one template that the main one and the nested ones come to. */
export function templateOf(name: PackageName): Template {
  return wholeTemplate(join(inject('packages'), name, MAIN))
}

/** What in a template does not match AWS's specification of its resources, or refers to nothing. */
export const misspecified = await createSpecificationCheck()
