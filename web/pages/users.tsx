import { mount } from '../mount.tsx'
import { UsersPage } from '../users/page.tsx'

mount(UsersPage)
