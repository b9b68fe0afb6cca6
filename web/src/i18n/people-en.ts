import type { PeopleDictionary } from './people-ja.ts'

export const peopleEn: PeopleDictionary = {
  remove: 'Remove (can rejoin)',
  removeTitle: (name) => `Remove ${name}?`,
  removeBody: 'They leave immediately. They can rejoin with the same link.',
  removeConfirm: 'Remove',
  removeFailed: 'Couldn’t remove them. Try again.',
  cancel: 'Cancel',
  muteAll: 'Mute all',
  mutedAll: (count) =>
    count === 0
      ? 'No one else is here.'
      : `You muted ${count} ${count === 1 ? 'person' : 'people'}.`,
  lowerHand: 'Lower hand',
  lowerHands: 'Lower all hands',
  lowered: 'No hand is raised.',
  failed: 'That didn’t work. Try again.',
  spotlight: 'Spotlight for everyone',
  endSpotlight: 'End the spotlight',
  inSpotlight: 'In the spotlight',
  spotlightNews: (name) => `${name} is in the spotlight`,
  spotlightEnded: 'The spotlight has ended',
  floating: (name) => `Show ${name} in a floating window`,
  leaveFloating: (name) => `Bring ${name} back from the floating window`,
  helpContact: (contact) => `Need help? ${contact}`,
  rating: {
    title: 'How was the interview?',
    lead: 'Your answer helps us improve. It’s optional.',
    lowest: 'Poor',
    highest: 'Very good',
    comment: 'Comment (optional)',
    send: 'Send',
    sent: 'Thank you for your answer.',
    failed: 'Couldn’t send your answer. Try again.',
  },
}
