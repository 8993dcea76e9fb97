"""The neural evaluation: a net sees planes of a game, and says who wins, how long it takes and what to play.

shape         what a net sees and says, and its size
model, loss   the net and what it learns by (PyTorch)
checkpoint    nets as files
inference     what a net says, by PyTorch or onnxruntime, and what the search makes of it
pilots        who chooses the moves of many games: a net, or round 0
playing       games side by side
selfplay      games into a dataset
samples, examples   from games to batches
training, trainer   from batches to a net
comparing     two players on the same starts
loop          rounds of all this
"""
