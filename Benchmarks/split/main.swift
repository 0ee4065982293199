// How far from the truth tracks are cut: a programme whose every join is known, through the whole recorder.
//
//     SplitBench [PROGRAMMES]
//
// Wants ffmpeg, and aircheck-media beside it or named by AIRCHECK_MEDIA. Prints a table of the errors of track starts.
SplitBench.main(Array(CommandLine.arguments.dropFirst()))
