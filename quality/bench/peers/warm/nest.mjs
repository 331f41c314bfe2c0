import 'reflect-metadata'
import { createSecretKey } from 'node:crypto'
import serverlessExpress from '@codegenie/serverless-express'
import {
  Controller,
  ForbiddenException,
  Get,
  Injectable,
  Module,
  Req,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import jsonwebtoken from 'jsonwebtoken'
import { KEY } from '../../key.ts'
import { greeting } from '../shared/settings.mjs'

const key = createSecretKey(KEY)

class TokenGuard {
  canActivate(context) {
    const request = context.switchToHttp().getRequest()
    try {
      const token = request.headers['authorization']?.replace(/^Bearer /, '') ?? ''
      request.claims = jsonwebtoken.verify(token, key, { algorithms: ['HS512'] })
    } catch {
      throw new UnauthorizedException('Invalid token')
    }
    if (request.claims.role !== 'ROLE_ADMIN') throw new ForbiddenException('Access denied')
    return true
  }
}
Injectable()(TokenGuard)

class SecureController {
  secure(request) {
    return greeting(request.claims)
  }
}
// Decorators as functions: Node runs no decorator syntax.
const secure = Object.getOwnPropertyDescriptor(SecureController.prototype, 'secure')
Get('secure')(SecureController.prototype, 'secure', secure)
UseGuards(TokenGuard)(SecureController.prototype, 'secure', secure)
Req()(SecureController.prototype, 'secure', 0)
Controller('api/admin')(SecureController)

class AppModule {}
Module({ controllers: [SecureController], providers: [TokenGuard] })(AppModule)

let started

async function start() {
  const app = await NestFactory.create(AppModule, { logger: false })
  await app.init()
  return serverlessExpress({ app: app.getHttpAdapter().getInstance() })
}

export async function handler(...given) {
  started ??= start()
  return (await started)(...given)
}
