import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import type { Metafile } from 'esbuild'
import { ENGINE, packageFolder } from '../project.ts'

/** The file in each bundle with its third-party packages and their licenses. */
export const NOTICES = 'THIRD-PARTY-LICENCES.txt'

/** The text of that file for the packages in these folders; identical license texts occur once. */
export function noticesOf(folders: readonly string[]): string {
  const byText = Map.groupBy(folders, licenceText)
  const parts = [...byText].map(([text, packages]) => `${packages.map(titleOf).join('\n')}\n\n${text}\n`)
  return ['This software contains code of others, under their licenses.\n', ...parts].join(`\n${'='.repeat(80)}\n\n`)
}

/** The heading of a package's notice. */
export function titleOf(folder: string): string {
  const { name, version, licence } = packageIn(folder)
  return `${name} ${version} (${licence})`
}

/** The condition of MIT that MIT-0 lacks. */
const MIT_CONDITION = `, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.`

const mit = (copyright: string, condition: string) => `${copyright}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so${condition}

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/** Replacements for license files that packages leave out, by the prefix of their names. */
const LEFT_OUT: Readonly<Record<string, () => string>> = {
  // The copyright is that of its README.
  '@middy/': () => mit('Copyright (c) 2017-2026 will Farrell, Luciano Mammino, and Middy contributors', MIT_CONDITION),
  '@aws-lambda-powertools/': () => mit('Copyright Amazon.com, Inc. or its affiliates. All Rights Reserved.', '.'),
  // Most packages of the SDK include it, and some do not.
  '@aws-sdk/': () =>
    licenceText(packageFolder('@aws-sdk/core', join(packageFolder('@aws-sdk/client-dynamodb'), 'package.json'))),
  // Apache 2.0, and the part that the file attributes to Google.
  '@bufbuild/protobuf': () =>
    [
      'Copyright 2021-2026 Buf Technologies, Inc.',
      licenceText(packageFolder('@grpc/grpc-js')),
      firstComment(join(packageFolder('@bufbuild/protobuf'), 'dist/esm/wire/varint.js')),
    ].join('\n\n'),
}

/** `LICENSE.md`, `COPYING`, `UNLICENSE`, `MIT-LICENSE`, `LICENSE-MIT`, `NOTICE.txt`; no source file of that name. */
const NAME = /^(?:(?:[\w.]+[-_.])?(?:un)?licen[cs]e|copying|notice)(?![a-z])(?!.*\.(?:[cm]?[jt]sx?|json)$)/i

/** License and notices of the package in a folder; if it ships none, one line with what it calls its license. */
export function licenceText(folder: string): string {
  return shippedText(folder) ?? `ships no text of its license, which it calls ${packageIn(folder).licence}`
}

/** License and notices of the package in a folder, or their known replacement. */
export function shippedText(folder: string): string | undefined {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && NAME.test(entry.name))
  if (files.length > 0) return files.map(({ name }) => readFileSync(`${folder}/${name}`, 'utf8').trim()).join('\n\n')
  const { name } = packageIn(folder)
  return Object.entries(LEFT_OUT).find(([start]) => name.startsWith(start))?.[1]()
}

function firstComment(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n')
}

interface Package {
  readonly name: string
  readonly version: string
  /** An SPDX expression, or what the package says instead. */
  readonly licence: string
}

/** The package in a folder, as its own package.json describes it: a team's packages may be in no lockfile. */
export function packageIn(folder: string): Package {
  const {
    name = basename(folder),
    version = '',
    ...others
  } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  // Two older forms: an object with a type, and a list of such objects.
  const stated: readonly unknown[] = [others.license ?? others.licenses ?? []].flat()
  const licences = stated.map((one) => String(typeof one === 'object' && one && 'type' in one ? one.type : one))
  return { name, version, licence: licences.join(' OR ').replace(/^\(([^()]*)\)$/, '$1') || 'unknown' }
}

/**
 * The folder of the package of a file, wherever node_modules is; undefined for a file of this project, and for a module of
 * Node, which esbuild names with a namespace and its importer.
 */
export function folderOf(file: string): string | undefined {
  if (/^\w+:/.test(file)) return undefined
  const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(resolve(file))?.[0]
  // Gatehouse may be a package itself.
  return found === undefined || found === ENGINE ? undefined : relative('.', found)
}

/** The folders of the packages that contributed to esbuild's output, sorted. */
export function bundledFolders({ outputs }: Metafile): readonly string[] {
  const folders = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? (folderOf(file) ?? []) : []))
  return [...new Set(folders)].sort()
}
