/* The one recording that an instance of this module decodes. */
#ifndef VAAK_RECORDING_H
#define VAAK_RECORDING_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

struct recording {
    AVFormatContext *input;
    AVStream *track;
    AVCodecContext *decoder;
    AVFrame *frame;
};

extern struct recording recording;

/* On the recording's own clock, in seconds; not a number where it does not say. */
double seconds_of(int64_t ticks, AVRational of_a_second);

#endif
