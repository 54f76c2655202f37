/** Where people write to. */
export const supportAddress = 'support@cutindex.com'
export const privacyAddress = 'privacy@cutindex.com'
