/*
 * Frames of any rate, format and number of channels to planes of floats at one rate. One resampler runs through the whole
 * recording, so no edge is audible; it is renewed only where the source changes.
 */
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>

#include "host.h"
#include "recording.h"

enum { MOST_CHANNELS = 64 };
enum opened { OPENED = 0, NOT_SOUND, NOT_SUPPORTED };

static struct {
    SwrContext *context;
    int rate, channels, format;
    int planes;
    uint8_t *plane[MOST_CHANNELS];
    unsigned plane_bytes[MOST_CHANNELS];
} resampler;

/* Whether the current frame is like the ones before it. */
int EXPORTED(resampler_fits)(void)
{
    const AVFrame *frame = recording.frame;
    return resampler.context && frame->sample_rate == resampler.rate && frame->format == resampler.format &&
           frame->ch_layout.nb_channels == resampler.channels;
}

int EXPORTED(has_resampler)(void)
{
    return resampler.context != NULL;
}

/* One plane, each channel with the same weight; before the resampling, which then has only that one to do. */
static int mix(SwrContext *context, int channels)
{
    double weights[MOST_CHANNELS];
    for (int channel = 0; channel < channels; channel += 1)
        weights[channel] = 1.0 / channels;
    return swr_set_matrix(context, weights, channels);
}

/* For frames like the current one. */
int EXPORTED(open_resampler)(int target_rate, int mixed, int filter_size, double cutoff, int kaiser_beta)
{
    const AVFrame *frame = recording.frame;
    if (frame->format < 0)
        return NOT_SOUND;
    int channels = frame->ch_layout.nb_channels;
    if (channels < 1 || channels > MOST_CHANNELS)
        return NOT_SUPPORTED;
    resampler.rate = frame->sample_rate;
    resampler.format = frame->format;
    resampler.channels = channels;
    resampler.planes = mixed ? 1 : channels;
    AVChannelLayout from = {.order = AV_CHANNEL_ORDER_UNSPEC, .nb_channels = channels};
    AVChannelLayout to = {.order = AV_CHANNEL_ORDER_UNSPEC, .nb_channels = resampler.planes};
    SwrContext *context = NULL;
    if (swr_alloc_set_opts2(&context, &to, AV_SAMPLE_FMT_FLTP, target_rate, &from, frame->format, frame->sample_rate, 0, NULL) < 0)
        return NOT_SUPPORTED;
    resampler.context = context;
    av_opt_set_int(context, "filter_size", filter_size, 0);
    av_opt_set_double(context, "cutoff", cutoff, 0);
    av_opt_set(context, "filter_type", "kaiser", 0);
    av_opt_set_int(context, "kaiser_beta", kaiser_beta, 0);
    if (resampler.planes < channels && mix(context, channels) < 0)
        return NOT_SUPPORTED;
    return swr_init(context) < 0 ? NOT_SUPPORTED : OPENED;
}

static int run(const uint8_t **input, int count)
{
    int room = swr_get_out_samples(resampler.context, count) + 1;
    for (int plane = 0; plane < resampler.planes; plane += 1) {
        av_fast_malloc(&resampler.plane[plane], &resampler.plane_bytes[plane], room * sizeof(float));
        if (!resampler.plane[plane])
            return 0;
    }
    int made = swr_convert(resampler.context, resampler.plane, room, input, count);
    return made < 0 ? 0 : made;
}

/* How many samples each plane then has. */
int EXPORTED(resample_frame)(void)
{
    return run((const uint8_t **)recording.frame->extended_data, recording.frame->nb_samples);
}

/* What the filter still held; it is gone afterwards. */
int EXPORTED(resample_rest)(void)
{
    int made = run(NULL, 0);
    swr_free(&resampler.context);
    return made;
}

int EXPORTED(plane_count)(void)
{
    return resampler.planes;
}

const float *EXPORTED(plane)(int index)
{
    return (const float *)resampler.plane[index];
}
