import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { noticesOf } from '../../../../infra/supply/notices.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const textOf = (file: string) => readFileSync(file, 'utf8').trim()

describe('the notices of a bundle', () => {
  it('are the licenses of the packages in it, word for word, each text once', () => {
    const notices = noticesOf([
      'node_modules/ws',
      'node_modules/@aws-sdk/client-dynamodb',
      'node_modules/@aws-sdk/client-sqs',
    ])
    expect(notices).toMatch(/^ws [\d.]+ \(MIT\)$/m)
    expect(notices).toMatch(
      /^@aws-sdk\/client-dynamodb [\d.]+ \(Apache-2.0\)\n@aws-sdk\/client-sqs [\d.]+ \(Apache-2.0\)$/m,
    )
    expect(notices).toContain(textOf('node_modules/ws/LICENSE'))
    expect(notices.split(textOf('node_modules/@aws-sdk/client-dynamodb/LICENSE'))).toHaveLength(2)
  })

  it('include the attributions of a package', () => {
    expect(noticesOf(['node_modules/playwright-core'])).toContain(textOf('node_modules/playwright-core/NOTICE'))
  })

  it.each([
    ['@middy/core', /will Farrell.*\n\nPermission is hereby granted[\s\S]*shall be included in all copies/],
    ['@aws-lambda-powertools/batch', /Amazon.com.*\n\nPermission is hereby granted[\s\S]*to do so\.\n/],
    [
      '@bufbuild/protobuf',
      /Buf Technologies[\s\S]*Apache License[\s\S]*Copyright 2008 Google[\s\S]*Redistributions in binary form/,
    ],
    ['@aws-sdk/nested-clients', /Apache License/],
  ])('contain a text for %s, which contains none', (name, text) => {
    expect(noticesOf([`node_modules/${name}`])).toMatch(text)
  })

  it.each([
    [{ license: { type: 'BSD-3-Clause' } }, 'BSD-3-Clause'],
    [{ licenses: [{ type: 'MIT' }, { type: 'GPL-2.0' }] }, 'MIT OR GPL-2.0'],
    [{ license: '(MIT OR Apache-2.0)' }, 'MIT OR Apache-2.0'],
    [{}, 'unknown'],
  ])('say of a package without a text what it calls its license: %j', (about, licence) => {
    const notices = noticesOf([packageOf({ name: 'bare', version: '1.2.3', ...about }, ['index.js', 'license.js'])])
    expect(notices).toContain(`bare 1.2.3 (${licence})\n\nships no text of its license, which it calls ${licence}\n`)
  })

  it.each(['Licence.md', 'COPYING', 'UNLICENSE.txt', 'MIT-LICENSE', 'LICENSE-MIT', 'LICENSE.BSD'])(
    'know the text in a file %s',
    (file) => {
      const notices = noticesOf([packageOf({ name: 'bare', version: '1.2.3', license: 'MIT' }, [file])])
      expect(notices).toContain(`bare 1.2.3 (MIT)\n\nthe text of ${file}\n`)
    },
  )
})

let packages = 0

/** The folder of a package with these files; a folder of that name holds no text. */
function packageOf(about: object, files: readonly string[]): string {
  packages += 1
  const place = join(folder.path, `node_modules/${packages}`)
  mkdirSync(join(place, 'licenses'), { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify(about))
  for (const file of files) writeFileSync(join(place, file), `the text of ${file}`)
  return place
}
