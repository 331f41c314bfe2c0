import { mount } from '../mount.tsx'
import { OAuthPage } from '../oauth/page.tsx'

mount(OAuthPage)
