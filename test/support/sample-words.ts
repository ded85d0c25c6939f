/** What `infra/samples/hinglish.wav` says, as it is to be written down at every door, by every profile. */
export const sampleSays = 'मैंने report तैयार कर ली है। Please एक बार check कर लो।'
/** How long that takes, rounded. */
export const sampleSeconds = 4
