export { deleteNotificationsOf as eraseNotifications } from './erasure-store.ts'
