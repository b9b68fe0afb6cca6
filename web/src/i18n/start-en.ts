import type { StartDictionary } from './start-ja.ts'

export const startEn: StartDictionary = {
  slow: {
    title: 'Still loading…',
    body: 'The connection is slow. Please wait a moment.',
  },
  lost: {
    title: 'This page couldn’t be loaded',
    body: 'Check your internet connection. The page loads again automatically when it is back.',
  },
  failed: {
    title: 'This page couldn’t be shown',
    body: 'Reload it. If that doesn’t help, open the same link in another browser.',
  },
  tooOld: {
    title: 'This browser is too old',
    body:
      'Open the same link in a current version of Chrome, Edge, Safari or Firefox. ' +
      'On an iPhone or iPad, update the system or use another device.',
  },
  broken: {
    title: 'Something went wrong on this page',
    body: 'Reload it to continue.',
  },
  reload: 'Reload',
}
